"""The words by which contradictions are read: opposites, negations, verbs, scopes; and keys to compare them."""

import re
from collections.abc import Sequence
from functools import lru_cache

from graphmem.rules.text import STOP_WORDS


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _entries(text: str, mark: str = ";") -> list[str]:
    return [" ".join(entry.split()) for entry in text.split(mark)]


# Each side lists words that say the same; a word stands for all its forms (enables, enabled, enabling).
# Kept out on purpose: before/after, first/last, left/right, always/never (the latter is a negation).
PAIRS = _entries(
    """enable / disable; activate / deactivate; active / inactive; allow permit / deny forbid prohibit
    disallow; open / close shut; start / stop; begin / end; include / exclude; accept approve / reject
    decline; true / false; add / remove delete; online / offline; public / private; available /
    unavailable; connect / disconnect; install / uninstall; lock / unlock; show visible / hide
    invisible; valid / invalid; stable / unstable; secure safe / insecure unsafe; encrypt / unencrypted
    decrypt; supported / unsupported; mandatory required compulsory / optional; manual manually /
    automatic automatically; synchronous sync / asynchronous async; pass / fail; increase / decrease;
    upgrade / downgrade; subscribe / unsubscribe; mute / unmute; grant / revoke; pause / resume; attach
    / detach; mutable / immutable; stateful / stateless; love like enjoy / hate dislike; married /
    single divorced unmarried; employed / unemployed; hire / fire; buy / sell; win / lose; alive / dead;
    present / absent; full / empty; free / paid; dark / light; known / unknown; guilty / innocent; legal
    / illegal"""
)
"""Opposites, each side one or more words; they exclude each other in both directions. *Source*: seed 004."""
PARTICLES: tuple[tuple[str, str], ...] = (("on", "off"), ("up", "down"))
"""Pairs whose words are mostly prepositions: they count only as a state ("is off", "turned off the lamp")."""

# Forms that the endings alone would not bring together: the key, then its forms.
IRREGULAR = {
    form: forms.split()[0]
    for forms in _entries(
        """use used using uses; run ran; sell sold; buy bought; begin began begun; hide hid hidden; win won;
    lose lost; show shown; go went gone goes; take took taken; meet met; break broke broken; become
    became; send sent; wake woke; sleep slept; teach taught; wear wore; write wrote written; keep kept;
    hold held; lead led; build built; speak spoke spoken; drive drove driven; eat ate eaten; drink
    drank; know knew known; have has had having; quit quitting; marry married marries; do does did done;
    mean meant; leave left; find found; forbid forbade forbidden"""
    )
    for form in forms.split()
}
_STATE_VERBS = _set(
    "is are was were be been being remains remain stays stay keeps keep currently now back it's went go goes"
)
_SWITCHES = _set("turn turned turns turning switch switched switches switching toggle toggled toggles set")
_AFTER_STATE = _set("now again since for in by during because until at after and but today here permanently")
_COMPOUNDS = frozenset(
    {("open", "source"), ("open", "sourced"), ("free", "software"), ("light", "weight"), ("single", "page")}
)
_VOWEL = re.compile(r"[aeiouy]")
_DOUBLED = re.compile(r"([bdfglmnprtz])\1$")


# Seed 004's twenty, and the contractions it leaves out; without an apostrophe they are met too (doesnt).
CONTRACTED = _set(
    """don't doesn't won't can't isn't aren't wasn't weren't haven't hasn't hadn't couldn't shouldn't
    wouldn't didn't mustn't needn't mightn't ain't"""
)
CONTRACTED |= {word.replace("'", "") for word in CONTRACTED}
NEGATIONS = CONTRACTED | _set("not no never nor neither cannot none nobody")
"""Words that turn a statement round. *Source*: seed 004, signal 1."""

_ALIASES = dict(
    pair.split("=")
    for pair in _set("""january=1 february=2 march=3 april=4 may=5 june=6 july=7 august=8 september=9
    october=10 november=11 december=12 jan=1 feb=2 mar=3 apr=4 jun=6 jul=7 aug=8 sep=9 oct=10 nov=11 dec=12
    one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12
    postgres=postgresql psql=postgresql mongo=mongodb js=javascript ts=typescript k8s=kubernetes
    golang=go dollar=usd dollars=usd euro=eur euros=eur favourite=favorite colour=color
    prod=production us=usa""")
)
_UNITS = {
    name: (unit.split()[0], float(unit.split()[1]))
    for unit in _entries(
        """b 1 b byte bytes; b 1024 kb kib; b 1048576 mb mib; b 1073741824 gb gib; b 1099511627776 tb tib; s
    0.001 ms millisecond milliseconds; s 1 s sec secs second seconds; s 60 min mins minute minutes; s
    3600 h hr hrs hour hours; s 86400 day days; s 604800 week weeks; m 1000 km; m 0.01 cm; g 1000 kg"""
    )
    for name in unit.split()[2:]
}
_UNIT = "|".join(sorted(_UNITS, key=len, reverse=True))
_QUANTITY = re.compile(rf"(\d{{1,12}})({_UNIT})")
_SPELLINGS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), spelling)
    for pattern, spelling in (
        (r"\bnew york(?: city)?\b", "nyc"),
        (r"\blos angeles\b", "la"),
        (r"\bsan francisco\b", "sf"),
        (r"\bunited states\b", "usa"),
        (r"\bc\+\+", "cplusplus"),
        (r"\b([cf])#", r"\1sharp"),
        (r"\$\s*(\d[\d.,]*)", r"\1 usd"),
        (r"€\s*(\d[\d.,]*)", r"\1 eur"),
        (r"(\d)\s*%", r"\1 percent"),
        (rf"\b(\d{{1,12}})\s+({_UNIT})\b", r"\1\2"),
        (r"\b(\d{1,2})(?::00)?\s*([ap])\.?m\b\.?", r"\1\2m"),
    )
)


def respell(folded: str) -> str:
    """A folded text (`rules.text.fold`) with signs and longer names in the one spelling that `key` knows.

    >>> respell("8 gb in new york for $5")
    '8gb in nyc for 5 usd'
    """
    for pattern, spelling in _SPELLINGS:
        folded = pattern.sub(spelling, folded)
    return folded


@lru_cache(maxsize=20_000)
def key(word: str) -> str:
    """What the spellings of one word, number or quantity share: `stem`, and one way to write numbers, units.

    >>> [key(word) for word in ("60min", "1h", "v1.5", "1,000", "3pm", "Postgres".lower())]
    ['3600s', '3600s', '1.5', '1000', '15:00', 'postgresql']
    """
    word = _ALIASES.get(word, word)
    if quantity := _QUANTITY.fullmatch(word):
        base, factor = _UNITS[quantity[2]]
        return f"{int(quantity[1]) * factor:.12g}{base}"
    if clock := re.fullmatch(r"(\d{1,2})([ap])m", word):
        return f"{int(clock[1]) % 12 + (12 if clock[2] == 'p' else 0)}:00"
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+", word):
        return word.replace(",", "")
    if re.fullmatch(r"v\d[\d.]*|0[1-9]", word):
        return word.lstrip("v") if word[0] == "v" else word[1:]
    return stem(word)


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A key that the forms of one English word share; of use only for comparing keys with one another.

    Words with digits and words of other scripts stay as they are. Takes a word as `rules.text.words` gives
    it.

    >>> {stem(word) for word in ("enable", "enables", "enabled", "enabling")}
    {'enabl'}
    >>> stem("stopped") == stem("stopping") == stem("stop"), stem("1.5"), stem("redis")
    (True, '1.5', 'redis')
    """
    word = word.removesuffix("'s")
    word = IRREGULAR.get(word, word)
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    for suffix in ("ing", "ed"):
        rest = word.removesuffix(suffix)
        if rest != word and len(rest) >= 3 and _VOWEL.search(rest) and not word.endswith("eed"):
            return _ending(rest)
    if word.endswith("es") and word[:-2].endswith(("s", "x", "z", "ch", "sh")):
        return _ending(word[:-2])
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return _ending(word)


def _ending(word: str) -> str:
    if len(word) > 3:
        word = _DOUBLED.sub(r"\1", word)
        word = word.removesuffix("e")
    if word.endswith("ie"):
        return word[:-1]
    return word[:-1] + "i" if word.endswith("y") and len(word) > 2 and word[-2] not in "aeiou" else word


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


_PAIRS = tuple((_stems(one), _stems(other)) for one, other in (pair.split("/") for pair in PAIRS))


def _is_state(words: Sequence[str], index: int) -> bool:
    before = words[index - 1] if index else ""
    after = words[index + 1] if index + 1 < len(words) else ""
    return before in _SWITCHES or (before in _STATE_VERBS and (not after or after in _AFTER_STATE))


def _is_compound(words: Sequence[str], index: int) -> bool:
    return index + 1 < len(words) and (words[index], words[index + 1]) in _COMPOUNDS


def opposites(old: Sequence[str], new: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The pairs (word of `old`, word of `new`) that exclude each other, in the order of the table.

    Takes words as `rules.text.words` gives them, in order. A text that has both sides of a pair fires nothing
    for it.

    *Source*: seed 004, signal 2 (about thirty bidirectional pairs); unlike Signet's antonyms.ts, the forms of
    a word are met by stem, and on/off and up/down count only where they are a state, not a preposition.

    >>> opposites(["auth", "is", "enabled"], ["disables", "auth"])
    (('enabled', 'disables'),)
    >>> opposites(["runs", "on", "port", "80"], ["turned", "off"])
    ()
    """
    by_stem = [
        {stem(word): word for index, word in reversed(list(enumerate(side))) if not _is_compound(side, index)}
        for side in (old, new)
    ]
    found = []
    for one, other in _PAIRS:
        crossed = _crossed(by_stem[0], by_stem[1], one, other)
        if crossed:
            found.append(crossed)
    states = [
        {
            word: word
            for index, word in enumerate(side)
            if _is_state(side, index) and word in ("on", "off", "up", "down")
        }
        for side in (old, new)
    ]
    for one_word, other_word in PARTICLES:
        crossed = _crossed(states[0], states[1], frozenset({one_word}), frozenset({other_word}))
        if crossed:
            found.append(crossed)
    return tuple(found)


def _crossed(
    old: dict[str, str], new: dict[str, str], one: frozenset[str], other: frozenset[str]
) -> tuple[str, str] | None:
    for mine, yours in ((one, other), (other, one)):
        old_hit, new_hit = old.keys() & mine, new.keys() & yours
        if old_hit and new_hit and not old.keys() & yours and not new.keys() & mine:
            return old[min(old_hit)], new[min(new_hit)]
    return None


# What the clauses of a statement are read by (rules/contradiction.py); all verbs are stems.
BE = _set("is are was were be been being am isn't aren't wasn't weren't ain't it's he's she's i'm")
WAS = _set("was were wasn't weren't had hadn't did didn't")
AUX = BE | _set("has have had do does did will would can could may might must should shall cannot") | CONTRACTED
PRONOUNS = _set("i we you they to who that do does did can will must should don't doesn't didn't can't won't cannot")
FILLERS = _set(
    """now currently recently actually still already just also always usually often today nowadays
    anymore any longer finally probably correction every each all more yet again however mainly
    mostly only current latest ever else too formerly previously originally please simply fully
    completely longer at"""
) - {"at"}
EMPTY = STOP_WORDS | FILLERS | NEGATIONS | AUX
TYPE_WORDS = _stems("service server app application system project team module component feature setting option")
PREPOSITIONS = _set(
    """in on at for to from with by as of near via over into onto under about between during through
    per against until behind inside without insteadof"""
)
TAIL = _set("because since after when which who where if unless although due despite whereas while so")
ENDINGS = _stems("stop quit cease")
LIGHT_VERBS = ENDINGS | _stems(
    "start begin decide continue keep choose finish plan intend want hope consider propose expect aim"
)
MOVES = _stems("move relocate migrate switch change transition convert upgrade downgrade")
SETTERS = _stems("change set update raise lower increase decrease bump reduce")
LETS_GO = _stems("drop abandon retire deprecate leave replace remove sell")
ADDITIVE = _stems("use like love enjoy know have own visit play speak learn support read watch eat drink study meet")
EVENTS = LIGHT_VERBS | MOVES | SETTERS | LETS_GO
EVENTS |= _stems(
    """join break become adopt marry divorce reschedule postpone turn enable disable activate
    deactivate open close shut add delete accept approve reject decline connect disconnect install
    uninstall lock unlock subscribe grant revoke pause resume attach detach hire buy engage name
    call schedule publish forbid allow permit deny prohibit base locate encrypt hide include
    exclude host own write build store manage maintain lead employ deploy"""
)
"""Verbs whose past tense tells what holds since then, not what is over."""
HOLDS = _stems(
    """use run host work live drive depend rely build write deploy store be prefer require base employ
    subscribe have own move join"""
)
MEASURED = _stems(
    """be use run require have own cost weigh listen set default expire start end open close begin
    take last limit allow pin target need contain serve handle charge earn pay scale hold store
    sleep wake upgrade downgrade"""
)
SCHEDULED = _stems("be schedule hold take meet move reschedule postpone happen occur")
VERBS = EVENTS | ADDITIVE | HOLDS | MEASURED | SCHEDULED
VERBS |= _stems(
    """reside report date expire major return send teach train wear cook share travel ship validate
    review log cache smoke exercise show pass fail process listen"""
)
"""Verbs that end the subject, by stem. No grammar is read: a verb that is missing here is read as a value."""


def _verb_keys(text: str) -> list[str]:
    return [" ".join([stem(entry.split()[0]), *entry.split()[1:]]) for entry in _entries(text, ",")]


SINGLE = frozenset(
    _verb_keys(
        """live in, live at, work at, work as, locate in, host on, write in, own by, manage by, lead by,
    maintain by, report to, marry to, engage to, date, name, default to, limit to, store in, study
    at, major in, be from, expire on, expire in, sleep at, wake at, build with, when weekday, when
    clock, when date"""
    )
)
"""Verbs with one value at a time: another value contradicts. All others need a number, a name or a slot."""
SAME_VERB = {
    verb: same
    for entry in _entries(
        """reside in=live in, move to=live in, relocate to=live in, work for=work at, employ by=work at,
    employ at=work at, join=work at, base in=locate in, marry=marry to, date with=date, change
    to=be, set to=be, raise to=be, lower to=be, increase to=be, decrease to=be, bump to=be, reduce
    to=be, update to=be, become=be, upgrade to=use, downgrade to=use, run on=use""",
        ",",
    )
    for verb, same in [_verb_keys(entry.replace("=", ","))]
}
"""Verbs that fill the same slot. "Runs on Node 18" and "was upgraded to Node 20" are told apart by number."""
ANY_VALUE = _stems(  # "X is Y": subjects with one value of any kind
    "favorite preferred default primary status state phase stage priority color mode role title job deadline"
)
NAMED_VALUE = _stems(  # the same, but only a name is such a value ("the database is slow" is none)
    """database port owner name email address language framework region timezone ceo cto manager lead
    maintainer url host birthday hometown capital employer vendor provider backend frontend theme
    editor license"""
)
SCOPING = _set("in on during at under via")
SCOPES = _stems(
    """staging production dev development test testing ci qa local laptop plan tier account branch
    platform weekday weekend winter summer night home linux windows macos android ios desktop
    mobile europe eu us region holiday meeting monday tuesday wednesday thursday friday saturday
    sunday"""
)
RELATION = _stems(
    """date marry engage girlfriend boyfriend partner wife husband fiance fiancee spouse relationship
    together apartment flat house wedding honeymoon anniversary live couple"""
)
WEEKDAYS = _stems("monday tuesday wednesday thursday friday saturday sunday")
NOT_PLACES = _stems("team department role position office desk group squad project")

INSTEAD = re.compile(
    r"\b(?:instead of|rather than|in place of|as opposed to)\b|(?:,|\band|\bbut)\s+not\s+(?=\S+[^,]*$)"
)
NOT_NEGATING = re.compile(r"\b(?:not (?:only|just|least)|no (?:doubt|problem|later than|(?:more|less) than|(?=\d)))")
QUESTION = re.compile(r"\?\W*$|\b(?:wonder(?:s|ed|ing)?|asks|asked (?:if|whether)|unsure|unclear|not sure)\b")
QUOTE = re.compile(
    r"\b(?:said|says|saying|claim(?:s|ed)|told|heard|reportedly|allegedly|according to|thinks|believes"
    r"|rumou?red|suggest(?:s|ed)|quot(?:e|ed|es)|supposedly)\b|[\"«„「『]\w\S*\s+\S+\s[^\"»“」』]*[\"»“」』]"
)
PLAN = re.compile(
    r"\b(?:plan(?:s|ned|ning)? (?:to|on|for)|will|going to|gonna|intend(?:s|ing)? to|wants? to|hop(?:es|ing) to"
    r"|might|may (?:be|use|move|switch|change|migrate)|consider(?:s|ing)|thinking (?:about|of)|could|would|if"
    r"|propos(?:es|ed|al)|maybe|perhaps|possibly|next (?:week|month|year|quarter)|tomorrow|(?:aim|expect)s? to)"
    r"\b(?!')"
)
OVER = re.compile(r"(?<!is )(?<!are )(?<!get )\bused to\b|\b(?:formerly|previously)\b")
PAST = re.compile(
    r"\b(?:originally|in the past|ago|back then|at first|until (?:19|20)\d\d|once (?:used|lived|worked)"
    r"|last (?:week|month|year|summer|winter))\b"
)
PARTED = re.compile(r"\b(?:(?:broke|split|broken) up|parted ways|separated|divorced)(?: with| from)?\s+([^\W\d_]+)")
CLAUSES = re.compile(r"\s*;\s*|\s+[—–-]\s+|,\s+(?:(?:and|but|so|then)\s+)?|\s+but\s+|\s+and\s+(?=now\b|is\b|has\b)")
