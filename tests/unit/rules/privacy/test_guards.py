"""The guards: what a pattern refuses is not stored, what is stored holds no secret, and nothing is lost."""

import base64
import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.inputs import NewMessage
from graphmem.model.stored import RawMessage
from graphmem.rules.language.keys import canonical_json
from graphmem.rules.privacy.guards import Closed, GuardRules, Screened, holds_secret, screen, session_closed
from graphmem.rules.privacy.payloads import MIN_RUN_CHARS, PLACEHOLDER, put_back
from graphmem.rules.privacy.redaction import CATALOGUE, redact_text
from tests.effort import little_work

PICTURE = random.Random(1).randbytes(3000)
URI = "data:image/png;base64," + base64.b64encode(PICTURE).decode()
RUN = base64.b64encode(random.Random(2).randbytes(4500)).decode()


def said(content: Any, **more: Any) -> NewMessage:
    return NewMessage.model_validate({"role": "user", "content": content} | more)


def returned(screened: Screened) -> str:
    """The message as it was sent, rebuilt from what is stored and its payloads."""
    assert screened.stored
    return put_back(as_json(screened.stored), {one.sha256: one.data for one in screened.payloads})


def as_json(message: NewMessage) -> str:
    """The words of a message, its strings unescaped, so that a placeholder gives way to any text."""
    return "\x00".join(_strings(message.model_dump()))


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, item in value.items() for text in [key, *_strings(item)]]
    return [text for item in value for text in _strings(item)] if isinstance(value, list | tuple) else []


# --- sessions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("session", "source", "found"),
    [
        ("cron:tick", None, Closed("ignored", "cron:*")),
        ("cron:tick:7", None, None),
        ("job:a:b", None, Closed("stateless", "job:**")),
        ("s1", "slack", Closed("stateless", "slack")),
        ("s1", "cron", None),
        ("tick", "cron", Closed("ignored", "cron:*")),
        ("both:1", None, Closed("ignored", "both:*")),
        (None, "slack", Closed("stateless", "slack")),
        (None, None, None),
    ],
)
def test_a_session_is_closed_by_the_first_pattern_that_fits(
    session: str | None, source: str | None, found: Closed | None
) -> None:
    rules = GuardRules(ignore_sessions=("cron:*", "both:*"), stateless_sessions=("job:**", "slack", "both:*"))
    if session == "s1" and source == "cron":
        rules = GuardRules(ignore_sessions=("cron",), stateless_sessions=())
        found = Closed("ignored", "cron")
    assert session_closed(rules, session, source) == found


# --- messages ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "content", "ignored"),
    [
        ("^HEARTBEAT", "HEARTBEAT ok", True),
        ("^HEARTBEAT", "a HEARTBEAT", False),
        ("(?i)heartbeat", "the HeartBeat", True),
        ("one\ntwo", [{"type": "text", "text": "one"}, {"type": "x"}, {"type": "text", "text": "two"}], True),
        ('"type":"image"', [{"type": "image", "url": "x"}], True),
        ('"type":"text"', [{"type": "text", "text": "one"}], False),
        (r"\p{Han}", "漢字", True),
        ("^$", "", True),
        ("hunter22", "password: hunter22", True),
    ],
)
def test_patterns_look_at_what_was_said(pattern: str, content: Any, ignored: bool) -> None:
    found = screen(said(content), GuardRules(ignore_messages=(pattern,), redact=CATALOGUE))
    assert (found.stored is None) == ignored


def test_a_pattern_that_takes_too_long_does_not_match_and_is_counted() -> None:
    with little_work():
        found = screen(said("a" * 40 + "b"), GuardRules(ignore_messages=(r"^(a|a|b?a)+$", "nothing")))
    assert found.stored is not None
    assert found.timeouts == 1


# --- secrets -------------------------------------------------------------------------------------------------


def test_secrets_go_wherever_a_message_holds_one() -> None:
    message = said(
        [{"type": "text", "text": "password: hunter22"}, {"type": "tool_use", "input": {"token": "abc"}}],
        name="Bearer abcdef123456",
        toolCalls=[
            {"function": {"name": "login", "arguments": '{"password": "ab", "n": "{\\"api_key\\": \\"xy\\"}"}'}}
        ],
        metadata={"auth": {"secret": "s3"}},
    )
    found = screen(message, GuardRules(redact=CATALOGUE))
    assert found.stored
    assert found.redactions == 6
    text = found.stored.model_dump_json()
    for secret in ("hunter22", '"abc"', "abcdef123456", '"ab\\', "xy", '"s3"'):
        assert secret not in text
    assert json.loads(found.stored.tool_calls[0]["function"]["arguments"])  # type: ignore[index, call-overload]


@pytest.mark.parametrize("content", [None, []])
def test_a_message_that_only_calls_tools_is_screened_and_stays_without_words(content: Any) -> None:
    message = said(content, role="assistant", toolCalls=[{"arguments": f'{{"password": "ab", "file": "{URI}"}}'}])
    found = screen(message, GuardRules(ignore_messages=("^$", "null"), redact=CATALOGUE, payload_threshold_chars=2000))
    assert found.stored
    assert found.stored.content == (None if content is None else ())
    assert (found.redactions, len(found.payloads)) == (1, 1)


def test_what_a_tool_answers_is_read_by_its_names_and_what_people_say_by_its_looks() -> None:
    rules = GuardRules(redact=("password_assignment",))
    answer = screen(said('{"password": "ab"}', role="tool"), rules)
    assert answer.stored
    assert '"ab"' not in str(answer.stored.content)
    assert screen(said('{"password": "ab"}'), rules).redactions == 0


def test_without_a_guard_a_message_is_what_it_was() -> None:
    message = said("password: hunter22", metadata={"token": "abc"})
    found = screen(message, GuardRules())
    assert found.stored is message


def test_a_secret_that_base64_hid_does_not_stand_in_the_clear_in_a_payload() -> None:
    uri = "data:text/plain;base64," + base64.b64encode(b"password=hunter22\n" * 40).decode()
    for content, threshold in ((uri, 0), (f"{uri} and {'words ' * 1000}", 2000)):
        found = screen(said(content), GuardRules(redact=CATALOGUE, payload_threshold_chars=threshold))
        (payload,) = found.payloads
        assert payload.data == b"password=[redacted password_assignment, 8 characters]\n" * 40
        assert found.redactions == 40


def test_a_media_type_is_ascii_since_it_becomes_a_header() -> None:
    found = screen(said(URI.replace("png", "\u0142\u0394") + RUN), GuardRules())
    assert {one.media_type for one in found.payloads} == {"text/plain"}


# --- payloads ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        f"before {URI} after",
        [{"type": "image_url", "image_url": {"url": URI}}],
        [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": URI.split(",")[1]}}],
        [{"type": "tool_result", "content": [{"type": "text", "text": RUN}]}],
        [{RUN: 1}],
        URI.replace("image/png", "image/svg+xml;charset=utf-8"),
        URI.replace("image/png", ""),
        URI.replace("/", "\\/"),
        URI.rstrip("=")[:-1],
        f"x={RUN}, y",
        "\n".join(RUN[n : n + 64] for n in range(0, len(RUN), 64)),
        "\\n".join(RUN[n : n + 76] for n in range(0, len(RUN), 76)),
        f"{URI} and {URI} and {RUN}",
    ],
    ids=lambda content: str(content)[:40],
)
def test_what_is_binary_goes_out_and_can_be_put_back(content: Any) -> None:
    message = said(content, toolCalls=[{"function": {"arguments": json.dumps({"file": URI})}}])
    found = screen(message, GuardRules())
    assert found.stored
    assert found.payloads
    kept = as_json(found.stored)
    assert len(kept) < 1000
    assert {one["sha256"] for one in PLACEHOLDER.finditer(kept)} == {one.sha256 for one in found.payloads}
    assert returned(found) == as_json(message)
    assert found.hidden_text == ""


def test_a_picture_is_kept_as_its_bytes() -> None:
    (payload,) = screen(said(URI), GuardRules()).payloads
    assert (payload.data, payload.media_type) == (PICTURE, "image/png")


@pytest.mark.parametrize(
    "text",
    [
        "data:image/png;base64,iVBORw0KGgo=",
        "data:text/html,<p>not base64</p>" * 20,
        "A" * 10_000,
        RUN[: MIN_RUN_CHARS - 1],
        "\n".join(f"{n:064x}" for n in range(200)),
        "a long text of words. " * 2000,
        "/".join(["path"] * 500),
    ],
    ids=lambda text: text[:30],
)
def test_what_is_short_or_no_base64_stays(text: str) -> None:
    message = said(text)
    assert screen(message, GuardRules()).stored is message


def test_long_texts_go_out_only_when_asked_and_their_words_stay_findable() -> None:
    text = f"the quick brown fox. {URI} " + "and then some. " * 1000
    message = said([{"type": "text", "text": text}, {"type": "text", "text": "short"}])
    assert len(screen(message, GuardRules()).payloads) == 1
    found = screen(message, GuardRules(payload_threshold_chars=12_000))
    (payload,) = found.payloads
    assert payload.data.decode() == text
    assert "quick brown fox" in found.hidden_text
    assert len(found.hidden_text) < len(text)
    assert returned(found) == as_json(message)
    assert screen(said("x" * 12_000), GuardRules(payload_threshold_chars=12_000)).payloads == ()


def test_finding_payloads_takes_linear_time() -> None:
    for unit in ("data:", "data:image/png;base64,", "A/", "ABCDEFGH" * 8 + "\n", "data:a/b;x=y;"):
        with little_work():
            screen(said(unit * (1_000_000 // len(unit))), GuardRules())


pieces = st.lists(
    st.sampled_from([URI, RUN, "password: hunter22", "ghp_" + "a1B2" * 8, "日本", "\n", '"', "\\", "words. " * 200])
    | st.text(max_size=20),
    max_size=6,
).map("\n".join)


@given(pieces, pieces, st.sampled_from([0, 1, 12_000]), st.booleans())
def test_whatever_the_guards_did_all_but_the_secrets_comes_back(
    content: str, argument: str, threshold: int, redact: bool
) -> None:
    patterns = CATALOGUE if redact else ()
    message = said(content, toolCalls=[{"arguments": argument}], metadata={"k": argument})
    found = screen(message, GuardRules(redact=patterns, payload_threshold_chars=threshold))
    assert found.inline
    assert returned(found) == as_json(found.inline)
    if not redact:
        assert found.inline is message
    for text in (as_json(found.inline), *(one.data.decode("latin-1") for one in found.payloads), found.hidden_text):
        assert not redact or "hunter22" not in text
    if content.isascii() and redact:
        assert found.inline.content == redact_text(content, patterns)[0]
    again = screen(found.stored or message, GuardRules(redact=patterns, payload_threshold_chars=threshold))
    assert canonical_json(again.stored and again.stored.model_dump()) == canonical_json(
        found.stored and found.stored.model_dump()
    ), "what was stored and comes again is known again"


@pytest.mark.parametrize(
    ("role", "held", "found"),
    [
        ("user", {"content": "PASSWORD=correct-horse"}, True),
        ("user", {"content": '{"password": "ab"}'}, False),
        ("tool", {"content": '{"password": "ab"}'}, True),
        ("assistant", {"tool_calls": '[{"arguments": {"password": "ab"}}]'}, True),
        ("user", {"metadata": '{"password": "ab"}'}, True),
        ("user", {"metadata": '{"password": "ab"'}, False),
        ("user", {"name": "PASSWORD=correct-horse"}, True),
        ("user", {"name": "password", "search_text": "password: Nothing here."}, False),
        ("user", {"search_text": "Nothing here.\nPASSWORD=correct-horse"}, True),
        ("tool", {"search_text": 'Nothing here.\n{"password": "ab"}'}, True),
        ("tool", {"content": '[{"type": "x", "password": "ab"}]', "content_kind": "parts"}, True),
        ("tool", {"content": "no JSON", "content_kind": "parts"}, False),
    ],
)
def test_a_stored_message_holds_what_would_be_replaced_today(role: str, held: dict[str, str], found: bool) -> None:
    text = held.get("content", "Nothing here.")
    fields = {"name": None, "content": text, "content_kind": "text", "tool_calls": None, "metadata": None}
    stored = RawMessage(**(fields | {"search_text": text} | held), id="m", sha256="")  # type: ignore[arg-type]
    assert holds_secret(stored, role, ("password_assignment",)) == found
