"""Whether a newer statement contradicts an older one: four signals, and what keeps them from counting.

A statement is cut into clauses, and a clause is read by word lists alone (`rules.contradiction.antonyms`): its subject,
its verb with the preposition, the value behind it, what it negates, where it holds, and whether it is a plan, a
quotation or past. The signals are functions of two clauses."""

import re
from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise

from graphmem.model.knowledge import BlockedBy, Claim, Contradiction, Signal, SignalName
from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction import single_valued as single
from graphmem.rules.contradiction.antonyms import key, opposites, respell
from graphmem.rules.contradiction.apart import (
    described_apart,
    go_another_way,
    in_another_identifier,
    numbered_apart,
    of_a_longer_name,
    of_another,
    of_kin,
    of_some,
    told_apart,
)
from graphmem.rules.contradiction.assertions import MAX_CHARS, Clause, read, union
from graphmem.rules.contradiction.differences import (
    SPOKEN_CLOCK,
    STANDING,
    are_prefixed,
    denies,
    opposed,
    other_amount,
    other_value,
    shortened,
)
from graphmem.rules.contradiction.endings import ENDED, adds_to_only, ends, replaces
from graphmem.rules.contradiction.essence import tellings
from graphmem.rules.contradiction.exclusion import excludes
from graphmem.rules.contradiction.gists import GIVEN_UP, gist
from graphmem.rules.contradiction.in_full import told_in_full
from graphmem.rules.contradiction.laying import lay
from graphmem.rules.contradiction.states import other_state
from graphmem.rules.contradiction.timing import is_for_now, is_of_a_past, is_to_come
from graphmem.rules.contradiction.vetoes import is_exception, is_of_other_hours, may_both_hold
from graphmem.rules.language.stems import stem, word_set
from graphmem.rules.language.text import fold, words

CONFIDENCE: dict[SignalName, float] = {
    "negation": 0.85,
    "antonym": 0.8,
    "value_conflict": 0.75,
    "temporal": 0.7,
}
"""What each signal is worth. *Source*: DECISIONS "Knowledge"; the same numbers as Signet's."""
MARKERS = ("now", "currently", "recently", "started", "switched", "moved", "changed")
"""Words by which a newer statement replaces an older one. *Source*: seed 004, signal 4."""
_ANY = re.compile(
    r"\b(?:in|at|on) (?:(?:an?|the (?:north|south|east|west|morning|evening|country)\b) ?|(?:night|home|weekends)\b)"
)
_ADDED = re.compile(
    r"\b(?:also|too|as well|another|additionally|in addition|besides"
    r"|an? (?:further|second|third))\b"
)
NOW = frozenset({"now", "currently", "switched", "moved", "changed"})
"""Those that speak of one state that took the place of another; what was started may be one more."""
MIN_GAP = timedelta(hours=24)
MAX_WORDS = 60
"""Of longer statements only the clauses are compared."""


def _contain(one: frozenset[str], other: frozenset[str]) -> bool:
    return one <= other or other <= one


_SPEAKERS = frozenset({"i", "we", "you"})


def _same_subject(old: Clause, new: Clause) -> bool:
    speakers = [{*side.words[:1]} & _SPEAKERS for side in (old, new)]
    for mine, yours in ((speakers[0], new), (speakers[1], old)):
        if mine and yours.subject and yours.words[:1] != tuple(mine):
            return False  # what we are is not what Ana is
    bare = [side.subject - table.TYPE_WORDS or side.subject for side in (old, new)]
    kinds = [side.subject & table.TYPE_WORDS for side in (old, new)]
    return not all(bare) or (bare[0] == bare[1] and (not all(kinds) or kinds[0] == kinds[1]))


def _rest(old: Clause, new: Clause) -> tuple[frozenset[str], frozenset[str]]:
    """What each clause says apart from a subject that both name."""
    shared = old.subject & new.subject
    return old.content - shared, new.content - shared


def _signal(name: SignalName, evidence: str) -> Signal:
    return Signal(name=name, confidence=CONFIDENCE[name], evidence=evidence)


def _is_bare(side: Clause) -> bool:
    """Whether it begins with its verb: the subject is left out."""
    return bool(side.words) and (side.words[0] in table.AUX or stem(side.words[0]) == side.lemma)


def negation(old: Clause, new: Clause) -> Signal | None:
    """One side negates, and the words that it denies are all among the words of the other side.

    *Source*: seed 004, signal 1 (XOR, at least two shared content words); that all must be there is ours, so
    that "supports Linux" stays beside "doesn't support Windows".
    """
    shared = old.content & new.content
    if bool(old.negated) == bool(new.negated) or len(shared) < 2:
        return None
    denied, said = (old, new) if old.negated else (new, old)
    if denied.words[:2] in (("not", "all"), ("not", "every")) and not {"all", "every", "each", "always"} & {
        *said.words
    }:
        return None  # crews are paid, though not all of them are
    if sum(word in table.NEGATIONS - {"no", "neither", "nor"} for word in denied.words) > 1:
        return None  # "is never not hungry" affirms
    core = denied.content - denied.subject
    if said.words[:1] == ("there",) and any(not one[0].isdigit() for one in said.content - denied.content):
        return None
    if not said.subject and not _is_bare(said):
        core = denied.content  # "there is a pool at the inn" says nothing of the hostel
    if not core or not core <= said.content or _turned(denied, said) or _adds_scope(old, new):
        return None
    side = "older" if old.negated else "newer"
    both = [word for word in dict.fromkeys(new.words) if key(word) in shared]
    return _signal("negation", f"'{denied.negated}' in the {side} text only; both say: {', '.join(both)}")


def _turned(denied: Clause, said: Clause) -> bool:
    """Whether a word, too, stands against its opposite, so that with the negation both say the same."""
    return bool(opposites(denied.words, said.words)) or any(
        are_prefixed(one, other) for one in denied.words for other in said.words if one[-3:] == other[-3:]
    )


def _adds_scope(old: Clause, new: Clause) -> bool:
    """Whether the newer clause says where, when or for whom, and the older one says nothing of it."""
    for index, word in enumerate(new.words[:-1]):
        if word in table.LIMITING and word not in old.words and index and new.words[index + 1] not in table.FILLERS:
            limit = {key(one) for one in new.words[index + 1 : index + 4]} - {key(one) for one in table.EMPTY}
            if limit and not limit & {key(one) for one in old.words} and not limit & {"default"}:
                return True
    return False


def antonym(old: Clause, new: Clause) -> Signal | None:
    """Two words exclude each other, neither is negated, and the rest of the two clauses is about the same.

    *Source*: seed 004, signal 2; the look at the rest is ours ("allows guests" stays beside "denies bots").
    """
    if old.negated or new.negated or _adds_scope(old, new):
        return None
    for one, other in opposites(old.words, new.words):
        rest = [side - {key(one), key(other), "turn", "switch"} for side in _rest(old, new)]
        numbers = [{word for word in side if word[0].isdigit()} for side in rest]
        named = any(
            last in ("the", "an", "a") and word in (one, other)
            for side in (old, new)
            for last, word in pairwise(side.words)
        )
        if not named and _contain(*rest) and _contain(*map(frozenset, numbers)):
            return _signal("antonym", f"'{one}' against '{other}'")
    return None


def value_conflict(old: Clause, new: Clause) -> Signal | None:
    """The same verb has another value, or the newer text says that the old value was left.

    *Source*: seed 004, signal 3. Ours: a value that contains the other is the same said longer; verbs with
    many values ("uses") need the same slot or a number.
    """
    if old.negated or new.negated or (old.words[:1] == ("there",)) != (new.words[:1] == ("there",)):
        return None
    if old.lemma in table.HOLDS and old.mood != "past" and old.head and new.ended and _contain(new.ended, old.head):
        return _signal("value_conflict", f"'{new.shown}' leaves '{old.shown}'")
    if old.verb != new.verb or not old.head or not new.head or _contain(old.head, new.head):
        return None
    if old.slot != new.slot or not (old.slot or _single(old, new)):
        return None
    if key("name") in old.head ^ new.head:
        return None  # her married name is not whom she is married to
    if "join" in (old.lemma, new.lemma) and not (old.head <= old.names and new.head <= new.names):
        return None  # one joins a club beside one's work
    if shortened(lay(" ".join(old.words)), lay(" ".join(new.words))):
        return None
    if old.verb.startswith("when ") and old.mood == new.mood == "past":
        return None  # what happened on Monday happened on Friday too
    if "when weekday" in (old.verb, new.verb) and {stem(word) for word in old.words} & STANDING:
        return None  # who is open on Mondays may be open on Sundays
    if bool(SPOKEN_CLOCK & old.head) != bool(SPOKEN_CLOCK & new.head):
        return None
    return _signal("value_conflict", f"'{old.shown}' against '{new.shown}'")


def _single(old: Clause, new: Clause) -> bool:
    """Whether the verb, with these two values, can only have one at a time."""
    numbers = [{word for word in side.value if word[0].isdigit()} for side in (old, new)]
    units = [{word.lstrip("0123456789.,:e+") for word in side} for side in numbers]
    if old.lemma in table.MEASURED and all(numbers):
        short, long = sorted((max(side) for side in numbers), key=len)
        if long.startswith(f"{short}."):  # 3.11 is a 3
            return False
        if min(map(len, numbers)) > 1 and len(numbers[0] ^ numbers[1]) > 2:
            return False  # "cost 60 euros in April" stays beside "cost 85 euros in May"
        return units[0] == units[1] and _contain(old.value - numbers[0], new.value - numbers[1])
    gone, came = old.head - new.head, new.head - old.head
    named = bool(gone and came) and gone <= old.names and came <= new.names
    if old.lemma == "be" and old.verb == "be":
        about = old.subject if old.subject and new.subject else frozenset()
        if any(numbers) and not all(numbers):
            return False  # "31 December" and "New Year's Eve" are not seen to differ
        return bool(about & single.ANY_VALUE) or (bool(about & single.NAMED_VALUE) and named)
    if old.verb in single.SINGLE and _in_any(old) != _in_any(new):
        return False  # `differences.other_value` says the same of verbs that are not known
    return old.verb in single.SINGLE or (old.verb in ("be in", "be at", "be on") and named)


def _in_any(clause: Clause) -> bool:
    """Whether the value is any one of its kind, or a time: a flat, night."""
    return bool(_ANY.search(clause.shown))


def temporal(old: Clause, new: Clause, gap: timedelta) -> Signal | None:
    """The newer text came over a day later, has a marker such as "now", and tells something else on it.

    *Source*: seed 004, signal 4; the topic (half of the shorter side's words, or a single-valued verb) is ours.
    """
    marks = [word for word in new.words if word in MARKERS]
    if old.words[:1] == ("there",) != new.words[:1] or (
        new.lemma in table.MOVES
        and old.head
        and old.value <= new.content
        and not {"from", "out", "off", "away"} & {*new.words}
    ):
        return None
    if gap <= MIN_GAP or not marks or bool(old.negated) != bool(new.negated) or old.slot != new.slot:
        return None
    if _SHIFT in new.content - old.content:
        return None  # who changed to the night shift is a nurse there still
    if new.lemma in table.MOVES and new.ended and not new.ended & old.content:
        return None  # who left a dormitory in Jena still studies there
    if not _BEGUN.isdisjoint(new.words) and {*marks} <= {"started", "recently"} and not _single(old, new):
        return None  # one more may have begun
    noise = {stem(word) for word in MARKERS} | {old.lemma, new.lemma}
    before, after = (side - noise for side in _rest(old, new))
    common = before & after
    if _contain(before, after) and _contain(old.content, new.content - noise):
        return None
    same = old.verb == new.verb if "be" in (old.lemma, new.lemma) else old.lemma == new.lemma
    alike = bool(old.lemma) and (same or new.lemma in table.MOVES | table.SETTERS)
    topic = alike and common and 2 * len(common) >= min(len(before), len(after)) and new.lemma not in table.ADDITIVE
    if topic or (old.verb == new.verb and old.head and new.head and _single(old, new)):
        return _signal("temporal", f"'{marks[0]}', {gap.days} days later: '{new.shown}' after '{old.shown}'")
    return None


_SHIFT = key("shift")
_BEGUN = frozenset({"started", "begun", "began"})


def _parted(old: str, new: str) -> Signal | None:
    """The seed's own case: "broke up with Amari" ends what a couple does ("apartment hunting with Amari")."""
    text, said = respell(fold(new[:MAX_CHARS])), words(old[:MAX_CHARS])
    past = table.PARTED.search(text)
    if past is None or not said or table.PARTED.search(fold(old[:MAX_CHARS])):
        return None
    couple = {past["from"]} if past["from"] else {past["one"], past["other"]}
    partners = [name for name in couple if name in said and said[0] != name]
    first = text[: past.start()].split()
    strangers = first and old[:1].isupper() and new[:1].isupper() and first[0] != said[0]
    if not partners or (past["one"] and not couple <= {*said}) or (strangers and past["from"]):
        return None
    stems = set(map(stem, said))
    shared = any(one == "with" and other == partners[0] for one, other in pairwise(said))
    if not table.RELATION & stems and (not shared or table.TOGETHER & stems):
        return None
    return _signal("negation", f"'{past[0]}' ends '{' '.join(said)}'")


def _leads_apart(old: str, new: str) -> bool:
    """Whether both begin with where, when or for whom, and not with the same: "below 40 seats", "from 40 seats on"."""
    alone = [_LEAD_WORD.match(fold(text)) for text in (old, new)]
    if all(alone) and len({lead[1] for lead in alone if lead}) > 1:
        return True
    leads = [_LEAD.match(fold(text)) for text in (old, new)]
    if leads[1] and not leads[0] and not _SINCE_WHEN.search(leads[1][0]) and not alone[0]:
        topic = {stem(word) for word in words(leads[1][2])} - table.EMPTY
        known = {stem(word) for word in words(old)}
        return (
            bool(topic)
            and not topic & known
            and "only" not in known
            and leads[1][1] not in ("after", "from", "until", "up", "over", "with")
        )
    if not all(leads):
        return False
    first, rest = ([lead[group] for lead in leads if lead] for group in (1, 2))
    if first[0] != first[1] and not {*first} <= {"in", "on", "at", "during"}:
        return True
    topics = [{key(word) for word in words(text)[:8]} - _ARTICLES for text in rest]
    return not (topics[0] <= topics[1] or topics[1] <= topics[0])


_LEAD_WORD = re.compile(
    r"(upstairs|downstairs|inside|outside|indoors|outdoors|abroad|locally|elsewhere|online|offline|internally"
    r"|externally|privately|officially), "
)
_SINCE_WHEN = re.compile(
    r"\b(?:\d{4}|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer"
    r"|autumn"
    r"|winter|last|this|next|the end|future|meantime|meanwhile|addition|fact|truth|reality|contrast|general|practice"
    r"|recent|\w+day|today|morning|week|month|year"
    r"|sprint|quarter|moment|present|first|other words|wake|decision|vote|meeting|assembly|result|\d+)\b"
)
"""Where it is said since when."""
_LEAD = re.compile(
    r"(in|at|on|for|during|under|within|outside|with|without|when|whenever|while|if|below|above|before|after|beyond"
    r"|over|up|from"
    r"|until|between|per|via|by) "
    r"([^,]{2,60}(?=,)|(?:the |an? |every |each |her |his |our |its |their |my )?(?:[\w-]+ ?){1,2}?(?= (?:the|an?"
    r"|his|her|its|our|their"
    r"|my|it|he|she|they|we|you|[\w-]+s|is|are)\b|$))"
)
"""Where, when or for whom a statement holds, told at its beginning."""
_ARTICLES = word_set("the a an its his her their our my")


def _framed(old: str, new: str, names: frozenset[str], gap: timedelta) -> list[Signal]:
    """What the two statements tell when laid side by side, whether their verbs are known or not."""
    before, after = lay(old[:MAX_CHARS]), lay(new[:MAX_CHARS])
    if max(len(before.keys), len(after.keys)) > MAX_WORDS or before.raw == after.raw:
        return []
    found: list[Signal] = []
    if same := denies(before, after):
        found.append(_signal("negation", f"one side denies what the other says: {same}"))
    elif over := ends(before, after):
        found.append(_signal("negation", f"'{over}' in the newer text ends '{' '.join(before.said)}'"))
    if pair := opposed(before, after):
        found.append(_signal("antonym", f"'{pair[0]}' against '{pair[1]}'"))
    elif values := other_value(before, after, names):
        found.append(_signal("value_conflict", f"'{values[0]}' against '{values[1]}'"))
    elif (
        gap > MIN_GAP
        and (marks := [word for word in words(new) if word in NOW])
        and (values := other_value(before, after, names, changed=True))
    ):
        found.append(_signal("temporal", f"'{marks[0]}', {gap.days} days later: '{values[1]}' after '{values[0]}'"))
    elif amounts := other_amount(before, after):
        found.append(_signal("value_conflict", f"'{amounts[0]}' against '{amounts[1]}'"))
    elif gone := replaces(before, after):
        found.append(_signal("value_conflict", f"the newer text leaves '{gone}'"))
    elif only := adds_to_only(before, after):
        found.append(_signal("value_conflict", f"'{only}' in the older text, and another one in the newer"))
    elif states := other_state(old[:MAX_CHARS], new[:MAX_CHARS], names):
        found.append(_signal("value_conflict", f"'{states[0]}' against '{states[1]}'"))
    bags = gist(old[:MAX_CHARS]), gist(new[:MAX_CHARS])
    if not found and (told := excludes(*bags)):
        found.append(_signal(*told))
    if (
        table.PLAN.search(fold(old))
        and not table.PLAN.search(fold(new))
        and not bags[1].over
        and not ENDED.search(after.raw)
    ):
        # What is planned need not be yet.
        found = [signal for signal in found if signal.name not in ("negation", "antonym")]
    return found


def _mood_of(clauses: Sequence[Clause], content: str) -> str:
    text = fold(content)
    if any(clause.mood in ("question", "quote") for clause in clauses):
        return "said"
    return "plan" if table.PLAN.search(text) and not GIVEN_UP.search(text) else "plain"


def _refuses(one: Clause, other: Clause) -> bool:
    """Whether one clause says in one word that what the other one plans does not happen."""
    return one.mood == "plain" and one.negated in table.REFUSED and other.mood == "plan"


def _blocked(old: Clause, new: Clause) -> BlockedBy | None:
    moods = (old.mood, new.mood)
    if "question" in moods or "quote" in moods:
        return "question" if "question" in moods else "quote"
    if not _same_subject(old, new):
        return "different_slot"
    if old.mood != new.mood and not _refuses(old, new) and not _refuses(new, old):
        return "plan" if "plan" in moods else "scope"
    if old.verb == new.verb and old.slot and new.slot and old.slot != new.slot:
        return "different_slot"
    return "scope" if new.scope - old.scope or (old.scope ^ new.scope) & table.SCOPES else None


def _compare(old: Clause, new: Clause, gap: timedelta) -> tuple[tuple[Signal, ...], BlockedBy | None]:
    if not _same_subject(old, new):
        return (), _blocked(old, new)
    left = value_conflict(old, new)
    if left and new.ended and _contain(new.ended, old.head) and (old.mood, new.mood) == ("plain", "past"):
        return (left,), None  # "used to live in Rome" ends "lives in Rome"
    fired = (negation(old, new), antonym(old, new), left, temporal(old, new, gap))
    return tuple(signal for signal in fired if signal), _blocked(old, new)


def check(old: Claim, new: Claim, min_confidence: float = 0.7) -> Contradiction:
    """Whether `new` says that `old` no longer holds: every signal that fired, and what keeps them back.

    *Shape*: `signals` in the order negation, antonym, value_conflict, temporal, at most one each; `confidence`
    is their maximum, 0 without any. Signals are told also where something blocks. Statements without times are
    compared as if made on the same day. Both are about one entity: a missing subject is that entity.

    *Source*: seed 004, 3 and 4; unlike Signet's supersession.ts all signals are looked at, not the first.

    >>> verdict = check(Claim(content="Alice lives in NYC"), Claim(content="Alice lives in LA"))
    >>> verdict.conflict, verdict.confidence, verdict.signals[0].evidence
    (True, 0.75, "'lives in nyc' against 'lives in la'")
    >>> check(Claim(content="auth is enabled"), Claim(content="plans to disable auth")).blocked_by
    'plan'
    """
    gap = new.created_at - old.created_at if new.created_at and old.created_at else timedelta()
    before, after = map(tellings, told_in_full(old.content[:MAX_CHARS], new.content[:MAX_CHARS]))
    verdict = _first_conflict(old, before, new, after, gap, min_confidence)
    return _looked_at_again(old.content[:MAX_CHARS], new.content[:MAX_CHARS], verdict)


def _looked_at_again(old: str, new: str, verdict: Contradiction) -> Contradiction:
    """The verdict, unless the statements as they were told speak of two subjects, or of one time that is none.

    Asked last, of the few pairs that seem to contradict each other, so that it costs the others nothing.
    """
    if not verdict.conflict:
        return verdict
    denied = {"negation", "antonym"} & {signal.name for signal in verdict.signals}
    others = any(are_others(old, new) for are_others in _OTHERS)
    why: BlockedBy | None = "different_slot" if others else None
    why = why or ("plan" if is_to_come(old, new, not denied) else None)
    why = why or ("scope" if any(veto(old, new) for veto in _OTHER_TIMES) else None)
    return verdict.model_copy(update={"conflict": False, "blocked_by": why}) if why else verdict


_OTHERS = (described_apart, of_a_longer_name, go_another_way)
_OTHER_TIMES = (is_exception, is_of_other_hours, is_of_a_past, is_for_now)
_APART = (told_apart, in_another_identifier, of_some, of_kin, numbered_apart)


def _first_conflict(
    old: Claim, before: Sequence[str], new: Claim, after: Sequence[str], gap: timedelta, min_confidence: float
) -> Contradiction:
    """What the first two ways to tell the statements that contradict each other tell, else the first two."""
    found: Contradiction | None = None
    for one in before:
        for other in after:
            if before == after and one != other:
                continue  # a statement in two ways
            verdict = _check(
                old.model_copy(update={"content": one}), new.model_copy(update={"content": other}), gap, min_confidence
            )
            if verdict.conflict:
                return verdict
            found = found or verdict
    assert found is not None  # noqa: S101 - there is always one way to tell a statement
    return found


def _check(old: Claim, new: Claim, gap: timedelta, min_confidence: float) -> Contradiction:
    pairs = [
        _compare(before, after, gap)
        for before in read(old.content[:MAX_CHARS])
        for after in read(new.content[:MAX_CHARS])
        if fold(old.content) != fold(new.content)
    ]
    # A free pair of clauses that fired decides; else a blocked one that fired, so that the reason is told.
    free = [pair for pair in pairs if not pair[1]]
    told = [pair for pair in free if pair[0]] or [pair for pair in pairs if pair[0]] or free or pairs
    blocked = told[0][1] if told else None
    fired = {signal.name: signal for signals, why in reversed(told) for signal in signals if why == blocked}
    texts = old.content[:MAX_CHARS], new.content[:MAX_CHARS]
    apart = any(are_apart(*texts) for are_apart in _APART)
    if fired and blocked is None and (apart or of_another(old.content, new.content)):
        blocked = "different_slot"
    lead = _leads_apart(old.content, new.content)
    if fired and blocked is None and lead:
        blocked = "scope"
    if blocked not in ("question", "quote") and not apart and not lead:
        clauses = read(old.content[:MAX_CHARS]), read(new.content[:MAX_CHARS])
        moods = [_mood_of(side, claim.content) for side, claim in zip(clauses, (old, new), strict=True)]
        if moods[0] == moods[1] != "said" or moods == ["plan", "plain"]:
            names = union(clause.names for side in clauses for clause in side)
            if framed := _framed(old.content, new.content, names, gap):
                if blocked:
                    fired, blocked = {}, None
                fired |= {signal.name: signal for signal in framed if signal.name not in fired}
    if blocked in (None, "scope", "plan", "different_slot") and (parted := _parted(old.content, new.content)):
        fired, blocked = fired | {"negation": parted}, None
    if (
        "only" not in gist(old.content).adds
        and _ADDED.search(fold(new.content))
        and not _ADDED.search(fold(old.content))
    ):
        fired = {name: signal for name, signal in fired.items() if name in ("negation", "antonym")}
    if (
        blocked is None
        and not {"negation", "antonym"} & fired.keys()
        and fired
        and may_both_hold(old.content, new.content)
    ):
        blocked = "scope"
    if gap < timedelta():
        blocked = "older"
    if "constraint" in (old.kind, new.kind):
        blocked = "constraint"
    confidence = max((signal.confidence for signal in fired.values()), default=0.0)
    return Contradiction(
        conflict=bool(fired) and confidence >= min_confidence and blocked is None,
        confidence=confidence,
        signals=tuple(fired[name] for name in CONFIDENCE if name in fired),
        blocked_by=blocked,
    )
