"""Redaction: what is a secret goes, wherever it stands; what only looks like one stays; and no input makes it slow."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.privacy.redaction import CATALOGUE, PLACEHOLDER, find_secrets, redact_text, redact_value
from tests.effort import little_work

SECRETS = {
    "api_key": [
        ("api_key = «abcdefghijkl»", "the shortest"),
        ("OPENAI_API_KEY=«abcdef1234567890abcd»", "a name with a prefix"),
        ("export AWS_SECRET_ACCESS_KEY=«wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY»", "a name of several words"),
        ("apiToken: «abcdefgh12345»", "camel case"),
        ('{\\"client_secret\\": \\"«abcdefghijklmn»\\"}', "JSON within JSON"),
        ("the key «AKIAIOSFODNN7EXAMPLE» leaked", "AWS"),
        ("«ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2»", "GitHub"),
        ("«github_pat_11ABCDEFG0abcdefghij_klmno»", "GitHub, fine-grained"),
        ("«xoxb-123456789012-abcdefGHIJ»", "Slack"),
        ("«AIzaSyA1b2C3d4E5f6G7h8I9j0KlMnOpQrStUvW»", "Google"),
        ("«glpat-ABCDEFGHIJ1234567890»", "GitLab"),
        ("«sk-ant-api03-abcdefghijklmnopqrst»", "Anthropic"),
        ("«sk-proj-abcdefghij1234567890klm»", "OpenAI"),
        ("«gm_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789»", "our own"),
    ],
    "bearer_token": [
        ("Authorization: Bearer «abcDEF123456789»", "a header"),
        ("bearer «0123456789abcdef»", "lower case"),
        ("bearer «abcdefghijklmnopqrstuvwxyz»", "no word is as long"),
        ("Authorization: Bearer «abcdefghijklmnop»", "a header speaks of nothing else"),
        ("Authorization: Basic «dXNlcjpwYXNzd29yZA==»", "name and password in base64"),
        ("Authorization: Basic «Ym9iOnDDpHNzd8O2cmQ=»", "a password that is not ASCII"),
        ("Authorization: Basic «Ym9iOnDkc3N39nJk»", "a password in Latin-1"),
        ("Authorization: Basic «Ym9iOnDDpHNzd8O2cmQ»", "without its padding"),
        ("auth_token=«abc123def456ghi»", "an assignment"),
        ("token «eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF123456»", "a JSON web token"),
    ],
    "password_assignment": [
        ("DB_PASSWORD=«hunter22»", "a name with a prefix"),
        ("PGPASSWORD=«secret12» psql", "without underscore"),
        ("password='«it has spaces»'", "in quotes"),
        ('{"password": "«abc]}de»"}', "brackets in quotes"),
        ("password: «p]a}ss123»", "brackets in the open"),
        ("(password: «hunter22»).", "in a sentence"),
        ("postgres://me:«s3cr3t»@db:5432/x", "a URL"),
        ("mongodb+srv://me:«p@ssw0rd»@db/x", "a URL whose password has an @"),
        ('password: "«abc\\"def»"', "a quote in quotes"),
        ("<db.password>«hunter2»</db.password>", "an element"),
        ("curl -u admin:«hunter2» https://x", "curl"),
        ("curl -sS -X POST --user 'admin:«hunter2»' https://x", "curl with options"),
        ("tool --password «Passw0rd!»", "an option"),
        ("tool --password='«a b c»'", "an option in quotes"),
        ("mysql -u root -p«hunter2» shop", "a client's short option"),
        ("curl -u 'admin:«hun ter2»' https://x", "curl, in quotes with a space"),
        ("curl -u admin:'«hun ter2»' https://x", "curl, the password alone in quotes"),
        ('curl -u "admin:«hun ter2»" https://x', "curl, in double quotes with a space"),
        ('sh -c "curl -u \\"admin:«hun ter2»\\" https://x"', "curl, in escaped quotes"),
        ("curl -sS https://x \\\n  -H 'A: b' \\\n-u admin:«hunter2» -o out", "curl on several lines"),
        ("curl -sS https://x \\\r\n  -u admin:«hunter2»", "curl on several lines of Windows"),
        ("curl " + "-H 'X-Some: header' " * 100 + "-u admin:«hunter2» https://x", "curl with much before it"),
        ("https://bob:«p@ss/word»@host", "a URL whose password has an @ and a slash"),
        ("mysql://bob:«pa'ss»@h", "a URL whose password has a quote"),
        ("mysql://bob:«pa/ss»@h", "a URL whose password has a slash"),
        ("'mysql://bob:«hunter2»@h', 'x@y'", "a URL in quotes"),
        ("git+https://bob:«hunter2»@git.example/org/repo.git@v1.0", "a URL with an @ in its path"),
        ("DB_PASSWORD='«hunter22»", "a quote that nothing closes"),
        ('DB_PASSWORD="«hunter22»\nPORT=1', "a quote that nothing closes on its line"),
        ('PGPASSWORD="«a b»" psql', "short, but quoted and named"),
        ("MYSQL_PWD='«ab»'", "short, but quoted and named"),
        ("tool --db-password «hunter2» --port 1", "an option with a prefix"),
        ('tool --db-password="«a b c»"', "an option with a prefix, in quotes"),
        ('{"password": ["«hunter22»"]}', "JSON, in a list"),
        ('{"password": {"value": "«hunter22»"}}', "JSON, as a value"),
        ('[{"name": "DB_PASSWORD", "value": "«hunter22»"}]', "JSON, beside its name"),
    ],
    "private_key": [
        ("«-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\n-----END RSA PRIVATE KEY-----» and on", "whole"),
        ("«-----BEGIN PRIVATE KEY-----\nMIIEabc\nDEFghi=»\n", "its end is missing"),
        ("«-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nabc=\n-----END PGP PRIVATE KEY BLOCK-----»", "PGP"),
        ("«-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 2\n\nlQOYBFabc123»\n", "PGP with a header, its end missing"),
        ("> «-----BEGIN PRIVATE KEY-----\n> MIIEabc\n> DEFghi=»\n> ", "quoted, its end missing"),
        ("1: «-----BEGIN PRIVATE KEY-----\n2: MIIEabc\n3: DEFghi=»\n", "numbered, its end missing"),
        ("  1\t«-----BEGIN PRIVATE KEY-----\n  2\tMIIEabc\n  3\tDEFghi=»\n", "numbered with tabs, its end missing"),
        ("«-----BEGIN EC PRIVATE KEY-----\\nMIIEabc\\n-----END EC PRIVATE KEY-----»", "escaped lines"),
    ],
}
INNOCENT = [
    "password: string;",
    "password: Optional[str] = None",
    "password = os.environ['X']",
    "api_key = os.environ.get('OPENAI_API_KEY')",
    "apiKey: process.env.API_KEY_PROD",
    "password=${VAR}",
    "password=$DB_PASS",
    "--password ${X}",
    "--password-stdin",
    "password=getpass.getpass()",
    "self.password = password",
    "bearer acknowledges the receipt",
    "bearer acknowledges.",
    '{"password": "", "token": ""}',
    "def f(password: str, token: str):",
    "the password must be changed",
    "Basic knowledge required",
    "sk-learn-compatible-estimators-are-nice",
    "task-12345678901234567890123",
    "http://localhost:8000/x@y",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PUBLIC KEY-----\nMIIEabc\n-----END PUBLIC KEY-----",
    "passwordless login: enabled",
    "https://{user}:{password}@host",
    "pwd: /opt/app/project",
    "passwd: /etc/passwd",
    "api_key=your-api-key-here",
    "Authorization: Bearer ${TOKEN}",
    "const password = req.body.password",
    'curl -u "$USER:$PASS" x',
    "max_tokens=100000000000",
    "tokens: 123456789012",
    '"password": {"type": "string"}',
    '{"password": ["This field is required."]}',
    '{"password": {"value": "${DB_PASSWORD}"}}',
    '{"name": "DB_HOST", "value": "db.example.org"}',
    '{"name": "DB_PASSWORD", "value": "$(pass db)"}',
    '{"required": ["user", "password"], "type": "object"}',
    "PASSWORD=''",
    'ALLOW_EMPTY_PASSWORD="yes"',
    'DB_PASSWORD="$X"',
    'OLDPWD="/a b"',
    "docker run -u 1000:1000 x",
    "curl https://x\ndocker run -u 1000:1000 x",
    "curl -u $USER:$PASS x",
    "curl: see -u for names",
    "--no-password prompt",
    "use --db-password to set it",
    "--db-password ${X}",
    "--db-password=$X",
    "http://localhost:8000','x@y",
    "https://host.example:8443/a@b",
    "npm://x:y/@scope/pkg",
    "Basic training",
    "basic authentication with names",
    "-----BEGIN PRIVATE KEY-----\n> 1: \n",
]


@pytest.mark.parametrize(
    ("pattern", "marked"), [(name, text) for name, cases in SECRETS.items() for text, _ in cases], ids=str
)
def test_a_secret_goes_and_nothing_around_it(pattern: str, marked: str) -> None:
    before, secret, after = marked.replace("»", "«").split("«")
    text = before + secret + after
    (found,) = find_secrets(text, CATALOGUE)
    assert (found.pattern, text[found.start : found.end]) == (pattern, secret)
    clean, _ = redact_text(text, CATALOGUE)
    assert clean.startswith(before)
    assert clean.endswith(after)
    assert secret not in clean
    assert ("sha256" in clean) == (pattern != "password_assignment")
    assert redact_text(clean, CATALOGUE) == (clean, []), "a second pass finds nothing more"


@pytest.mark.parametrize("text", INNOCENT)
def test_what_only_speaks_of_secrets_stays(text: str) -> None:
    assert redact_text(text, CATALOGUE) == (text, [])


def test_only_the_patterns_asked_for_are_looked_for() -> None:
    text = "DB_PASSWORD=hunter22 and ghp_a1B2a1B2a1B2a1B2a1B2a1B2"
    assert [found.pattern for found in find_secrets(text, ["api_key"])] == ["api_key"]
    assert find_secrets(text, []) == []


def test_equal_secrets_look_equal_and_others_do_not() -> None:
    one, same, other = (
        redact_text(f"api_key={secret}", CATALOGUE)[0] for secret in ("abcdefghijkl", "abcdefghijkl", "abcdefghijkm")
    )
    assert one == same != other


def test_tool_calls_are_read_by_name_and_by_shape_and_their_json_stays_json() -> None:
    arguments = '{"user": "ana", "password": "ab", "pin": {"passcode": 4711}, "cmd": "curl -u ana:hunter2 https://x"}'
    calls = [{"id": "c1", "type": "function", "function": {"name": "login", "arguments": arguments}}]
    clean, found = redact_value(calls, CATALOGUE)
    inner = json.loads(clean[0]["function"]["arguments"])
    assert inner["user"] == "ana"
    assert all(PLACEHOLDER.search(text) for text in (inner["password"], inner["pin"]["passcode"], inner["cmd"]))
    assert clean[0] | {"function": None} == calls[0] | {"function": None}
    assert [(one.path, one.start, one.end) for one in found] == [
        ("0.function.arguments.password", 0, 2),
        ("0.function.arguments.pin.passcode", 0, 4),
        ("0.function.arguments.cmd", 12, 19),
    ]


@pytest.mark.parametrize("arguments", ['{"a": 1,  "b": "x"}', '{"a": 1, "a": 2}', "{not json", "[1, 2", '"text"', ""])
def test_a_string_without_a_secret_stays_as_it_was_written(arguments: str) -> None:
    assert redact_value({"arguments": arguments}, CATALOGUE) == ({"arguments": arguments}, [])


@pytest.mark.parametrize(
    "value",
    [
        {"password": ["hunter22"]},
        {"password": [["ab"], {"value": "hunter22"}]},
        {"password": {"value": "hunter22", "type": "string"}},
        [{"name": "DB_PASSWORD", "value": "hunter22"}],
        [{"value": "hunter22", "type": "env", "id": "x", "name": "DB_PASSWORD"}],
        {"headers": [{"name": "Authorization", "value": "hunter22"}]},
        {"args": ["--db-password", "x"], "env": {"PGPASSWORD": "hunter22"}},
        {"password": ["correct horse hunter22 battery"]},
    ],
    ids=str,
)
def test_a_name_speaks_of_what_is_below_and_beside_it(value: Any) -> None:
    for given_as in (value, json.dumps(value)):
        clean, found = redact_value(given_as, CATALOGUE)
        assert found
        assert "hunter22" not in json.dumps(clean)
        assert redact_value(clean, CATALOGUE) == (clean, [])
    assert '"string"' not in json.dumps(value) or '\\"string\\"' in json.dumps(clean)


@pytest.mark.parametrize(
    "value",
    [
        {"password": {"type": "string", "description": "At least eight characters", "minLength": 8}},
        {"password": ["This field is required.", "Too short."], "status": 422},
        {"password": {"value": None, "set": True}},
        [{"name": "DB_HOST", "value": "db.example.org"}, {"name": "password", "type": "string"}],
        [{"name": "password", "value": "string"}],
        {"tokens": ["to", "ken"], "passwords": 3},
    ],
    ids=str,
)
def test_what_only_describes_a_secret_in_json_stays(value: Any) -> None:
    assert redact_value(value, CATALOGUE) == (value, [])


@pytest.mark.parametrize("levels", [50, 99, 101, 500, 900, 20_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_json_nested_deeply_is_no_trouble(levels: int, opening: str, closing: str) -> None:
    text = opening * levels + '{"password":"hunter22"}' + closing * levels
    for given_as in (text, {"arguments": text}, [{"output": json.dumps({"inner": text})}]):
        clean, found = redact_value(given_as, CATALOGUE)
        assert len(found) == 1
        assert "hunter22" not in json.dumps(clean)


def test_a_key_told_twice_is_read_as_text_so_that_neither_is_lost() -> None:
    clean, found = redact_value('{"password": "hunter22", "password": "hunter33"}', CATALOGUE)
    assert len(found) == 2
    assert clean.count('"password"') == 2
    assert "hunter" not in clean


UNITS = [
    "-----BEGIN RSA PRIVATE KEY-----\n",
    "-----BEGIN PRIVATE KEY-----\nabc\n",
    "password=",
    'password: "',
    'api_key="',
    "api_",
    "a_",
    "Bearer ",
    "eyJ",
    "://a:",
    "curl ",
    "curl -u ",
    "mysql ",
    "--",
    "A",
    "sk-",
    "[redacted api_key, 1 characters]",
    "<password>",
    "a://b:c@",
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: a\n",
    "-----BEGIN PRIVATE KEY-----\n> 1: ",
    "curl x -u ",
    "curl -u a:b ",
    "curl \\\n",
    "mysql x -p ",
    "a://b:",
    "a://b:c/",
    '{"password":["',
    '"name":"password","value":',
    'PASSWORD="a" ',
    "--a-",
    "\n> ",
    "Basic abcdefgh ",
]


@pytest.mark.parametrize("unit", UNITS)
def test_no_repetition_takes_long(unit: str) -> None:
    with little_work():
        find_secrets(unit * (100_000 // len(unit)), CATALOGUE)


@pytest.mark.long
@pytest.mark.parametrize("unit", UNITS)
def test_time_grows_with_the_text_and_not_faster(unit: str) -> None:
    """Ten times the text in well under a hundred times the time."""
    small, big = unit * (20_000 // len(unit)), unit * (200_000 // len(unit))
    assert _grows(small, big, 40, 0.002)


@pytest.mark.long
@pytest.mark.parametrize(
    "unit", ["curl x -u ", "curl \\\n", "mysql x -p ", "-----BEGIN RSA PRIVATE KEY-----\n", "a://b:c/"]
)
def test_a_megabyte_takes_ten_times_what_a_tenth_of_it_takes(unit: str) -> None:
    small, big = unit * (100_000 // len(unit)), unit * (1_000_000 // len(unit))
    assert _grows(small, big, 25, 0.01)


def _grows(small: str, big: str, at_most: float, least_s: float) -> bool:
    """Whether the big one takes so many times as long at most, each at its fastest of three: what else the process does
    meanwhile is not the rule's. A big one that was fast enough is not tried again."""
    most = at_most * max(min(_seconds(small) for _ in range(3)), least_s)
    return any(_seconds(big) < most for _ in range(3))


def _seconds(text: str) -> float:
    """Processor time of this thread."""
    started = time.thread_time()
    find_secrets(text, CATALOGUE)
    return time.thread_time() - started


@given(
    st.text(max_size=200),
    st.sampled_from([case for cases in SECRETS.values() for case, _ in cases]),
    st.text(max_size=200),
)
def test_a_planted_secret_never_comes_through(before: str, marked: str, after: str) -> None:
    secret = marked.replace("»", "«").split("«")[1]
    text = f"{before}\n{marked.replace('«', '').replace('»', '')}\n{after}"
    clean, found = redact_text(text, CATALOGUE)
    assert secret not in clean or secret in before or secret in after
    kept = "".join(
        text[start:end]
        for start, end in zip([0, *(one.end for one in found)], [*(one.start for one in found), len(text)], strict=True)
    )
    assert kept == PLACEHOLDER.sub("", clean) or PLACEHOLDER.search(text), "all else is as it was"
