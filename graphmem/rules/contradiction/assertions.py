"""A statement read clause by clause, by word lists alone (`rules.contradiction.antonyms`): what each says of what, and
how."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction import single_valued as single
from graphmem.rules.contradiction.antonyms import NEGATIONS, key, respell
from graphmem.rules.language.sentences import sentences
from graphmem.rules.language.stems import IRREGULAR, stem, stems, word_set
from graphmem.rules.language.text import fold, words

MAX_CHARS = 2_000
MAX_CLAUSES = 8
MAX_SUBJECT = 8
"""Only this much of a statement is read: a fact is a sentence, and pairs of long texts cost time squared."""


@dataclass(frozen=True)
class Clause:
    """One clause as read; the sets hold `key`s. `mood` is "plain", "past" or what blocks."""

    words: tuple[str, ...]
    subject: frozenset[str]
    lemma: str
    verb: str
    head: frozenset[str]
    value: frozenset[str]
    slot: frozenset[str]
    ended: frozenset[str]
    content: frozenset[str]
    scope: frozenset[str]
    negated: str
    mood: str
    names: frozenset[str]
    shown: str


_NOTHING = table.EMPTY


def _keys(said: Iterable[str]) -> frozenset[str]:
    return frozenset([key(word) for word in said if word not in _NOTHING])


def union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*sets)


def _verb_at(said: Sequence[str]) -> int | None:
    """Where the first finite verb stands; a bare form ("run") counts only where nothing better does."""
    found = [index for index, word in enumerate(said) if word in table.AUX or stem(word) in table.VERBS]
    for index in found:
        word, before = said[index], next((w for w in reversed(said[:index]) if w not in table.FILLERS), "")
        after = said[index + 1] if index + 1 < len(said) else ""
        bare = _is_bare(word) and not (before in table.PRONOUNS or before.endswith("s"))
        if index and said[index - 1] in ("the", "a", "an") and word not in table.AUX:
            continue
        gerund = word.endswith("ing") and index > 0 and before not in table.BE
        if word in table.AUX or not (bare or gerund or after in table.AUX):
            return index
    return found[0] if found else _unknown_verb(said)


def _unknown_verb(said: Sequence[str]) -> int | None:
    """A word that looks like a verb of the third person, behind its subject: "the choir rehearses in the hall"."""
    last = len(said) if said[:1] and said[0] in ("the", "our", "my", "his", "her") and len(said) > 3 else len(said) - 1
    for index in range(1, min(last, MAX_SUBJECT)):
        word, before = said[index], said[index - 1]
        inflected = word.isascii() and len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "'s", "us"))
        if before in table.PREPOSITIONS and word not in table.PREPOSITIONS:
            continue
        if inflected and before not in ("the", "a", "an", "no", "all", "and") and not before.endswith("'s"):
            return index
    return None


def _is_bare(word: str) -> bool:
    return not word.endswith(("s", "ed", "ing")) and IRREGULAR.get(word, word) == word


def _is_past(word: str) -> bool:
    return word.endswith("ed") or (not word.endswith(("s", "ing")) and not _is_bare(word))


_SKIPPED = table.FILLERS | NEGATIONS | {"to"}
"""What may stand between an auxiliary and the verb."""


def _main_verb(said: Sequence[str], at: int) -> int:
    """From "has been", "is", "started" and the like on to the verb that says what is the case, if any."""
    while said[at] in table.AUX or stem(said[at]) in table.LIGHT_VERBS:
        step = next((k for k in range(at + 1, len(said)) if said[k] not in _SKIPPED), None)
        if step is None or (said[step] not in table.AUX and stem(said[step]) not in table.VERBS):
            break
        word, auxiliary = said[step], said[at] in table.AUX
        bare = said[at] in table.BE and _is_bare(word) and word not in ("set", "run")
        if bare or (word.endswith("s") if auxiliary else not (word.endswith("ing") or said[step - 1] == "to")):
            break
        at = step
    return at


def _segments(said: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The words cut before each preposition: first the object (under ""), then (preposition, words)."""
    parts: list[tuple[str, list[str]]] = [("", [])]
    for word in said:
        if word in table.PREPOSITIONS:
            parts.append((word, []))
        else:
            parts[-1][1].append(word)
    return parts


_DETERMINERS = word_set("the a an my our his her its their your this that every each all no")


def _led(said: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The same of what stands before the verb; a determiner begins the subject anew: "for adults | the dose"."""
    parts: list[tuple[str, list[str]]] = [("", [])]
    for index, word in enumerate(said):
        if word in table.PREPOSITIONS:
            parts.append((word, []))
        elif (
            word in _DETERMINERS
            and parts[-1][0] in ("for", "in", "on", "at", "during")
            and parts[-1][1]
            and said[index - 1] not in _DETERMINERS
        ):
            parts.append(("", [word]))
        else:
            parts[-1][1].append(word)
    return parts


def _is_scope(preposition: str, keys: frozenset[str]) -> bool:
    if preposition == "for":
        return bool(keys) and not any(one[0].isdigit() for one in keys) and not keys & table.WEEKDAYS
    return preposition in table.SCOPING and bool(keys & table.SCOPES)


def _mood(text: str, said: Sequence[str], at: int | None, main: int, lemma: str) -> str:
    if table.PLAN.search(text):
        return "plan"
    past = bool(table.PAST.search(text))
    if at is not None:
        past |= any(word in table.WAS for word in said[at : main + 1]) or (main == at and _is_past(said[main]))
    dated = past and bool(table.DATED.search(text)) and lemma not in table.MOVES
    return "past" if dated or _is_over(text) or (past and lemma not in table.EVENTS) else "plain"


def _verb_key(lemma: str, preposition: str, head: frozenset[str]) -> str:
    timed = head & table.WEEKDAYS or any(":" in one for one in head)
    if timed and lemma in table.SCHEDULED and preposition != "since":
        return "when weekday" if head & table.WEEKDAYS else "when clock"
    verb = f"{lemma} {preposition}".strip()
    return verb if verb == "mov to" and head & table.NOT_PLACES else table.SAME_VERB.get(verb, verb)


def _negation(said: Sequence[str]) -> str:
    for index, word in enumerate(said):
        if word in NEGATIONS:
            return "no longer" if said[index : index + 2] == ["no", "longer"] else word
        if stem(word) in table.ENDINGS and index + 1 < len(said) and said[index + 1].endswith("ing"):
            return word
    return ""


def _is_due(said: Sequence[str], index: int) -> bool:
    """Whether "due" says when something is to come, not why."""
    return said[index] == "due" and said[index - 1] in table.BE | table.FILLERS


_HOMES = stems("house home back over out")
_ONE_VALUED = single.SINGLE | table.SAME_VERB.keys()
_OVER_MARKS = ("used to", "formerly", "previously")
"""A text without any of them cannot match `OVER`; looking for them takes a twentieth of the time."""


def _is_over(text: str) -> bool:
    return any(mark in text for mark in _OVER_MARKS) and bool(table.OVER.search(text))


def _read_clause(text: str, lead: str, mood: str, names: frozenset[str]) -> Clause:
    over = _is_over(text)
    said = words(table.PAST.sub(" ", table.OVER.sub("formerly", text) if over else text))
    at = _verb_at(said)
    main = -1 if at is None else _main_verb(said, at)
    lemma = "" if at is None else "be" if said[main] in table.BE else stem(said[main])
    cut = next((k for k in range(main + 1, len(said)) if said[k] in table.TAIL and not _is_due(said, k)), len(said))
    before = [(word, _keys(part)) for word, part in _led([*words(lead), "insteadof", *said[: at or 0]])]
    scope = union(keys for word, keys in before if _is_scope(word, keys))
    subject = topic = union(keys for word, keys in before if not _is_scope(word, keys))
    rest = _segments(said[main + 1 : cut])
    own = 0 if _keys(rest[0][1]) or len(rest) == 1 else 1
    free = at != main and f"{lemma} {rest[own][0]}" not in _ONE_VALUED
    if own and free and _is_scope(rest[1][0], _keys(rest[1][1])):
        own = 0  # "is enabled in staging" says where; "lives in Rome" says what
    head = value = _keys(rest[own][1])
    slot, ended, verb = frozenset[str](), frozenset[str](), ""
    kept = frozenset[str]()
    if lemma in table.LETS_GO:
        ended, head, value = head, frozenset(), frozenset()
        kept = ended if lemma == "sel" else kept
    for index, (preposition, part) in enumerate(rest):
        keys = _keys(part)
        left = {"insteadof": True, "over": lemma == "prefer", "from": lemma in table.MOVES}
        if left.get(preposition):
            ended |= keys
            head, value = (head - keys, value - keys) if index == own else (head, value)
        elif preposition == "to" and lemma in table.MOVES | table.SETTERS and index != own:
            # "moved his desk to the window" says nothing of where he lives
            carried = lemma in table.MOVES and not own and head - _HOMES
            topic = head if carried or (lemma in table.SETTERS and not subject) else subject
            head, value, verb = keys, keys, _verb_key(lemma, "to", keys)
        elif index == own:
            continue
        elif preposition == "as":
            slot |= keys
        elif _is_scope(preposition, keys) and not (lemma in table.SCHEDULED and keys & table.WEEKDAYS):
            scope |= keys
        else:
            value |= keys
            head |= keys if lemma in table.SCHEDULED and keys & table.WEEKDAYS and not own else frozenset()
    negation = _negation(said[:cut])
    told = _keys(word for word in said[:cut] if word == said[main] or stem(word) not in table.LIGHT_VERBS)
    return Clause(
        words=tuple(said[:cut]),
        subject=topic,
        lemma=lemma,
        verb=verb or _verb_key(lemma, rest[own][0], head),
        head=head,
        value=value,
        slot=slot,
        ended=ended | (value if over else frozenset()),
        content=told - scope - (frozenset() if negation else ended - value - kept),
        scope=scope,
        negated=negation,
        mood=mood or _mood(text, said, at, main, lemma),
        names=names,
        shown=" ".join(said[max(main, 0) : cut]).replace("insteadof", "not"),
    )


@lru_cache(maxsize=4_096)
def _turned(text: str) -> str:
    """With the value that holds first: "is not red but blue" as "is blue, not red"."""
    found = table.NOT_BUT.search(text) if " but " in text else None
    if found is None or _verb_at(words(found["there"])) is not None:
        return text
    return f"{text[: found.start()]}{found['there']}, not {found['gone']}{found['end']}"


@lru_cache(maxsize=4_096)
def read(content: str) -> tuple[Clause, ...]:
    parts = (part for part in content.split() if part[:1].isupper() or set("@/_.") & set(part[:-1]))
    names = _keys(words(" ".join(parts)))
    clauses: list[Clause] = []
    for sentence in sentences(content):
        text = respell(fold(sentence).rstrip("."))
        text = _turned(table.NOT_NEGATING.sub("", text) if "no" in text else text)
        mood = "question" if table.QUESTION.search(text) else "quote" if table.QUOTE.search(text) else ""
        mood = mood or ("plan" if text.startswith(("if ", "unless ")) else "")
        pieces: list[str] = []
        lead = ""
        for piece in table.CLAUSES.split(table.INSTEAD.sub(" insteadof ", text)):
            if not pieces or _verb_at(words(piece)) is not None:
                pieces.append(piece)
            else:
                pieces[-1] += " " + piece
        if len(pieces) > 1 and _verb_at(words(pieces[0])) is None:
            lead = pieces.pop(0)
        read = [_read_clause(piece, lead, mood, names) for piece in pieces]
        clauses += [replace(c, subject=read[0].subject) if not c.subject else c for c in read]
    return tuple(clauses[:MAX_CLAUSES])
