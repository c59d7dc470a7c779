"""Reads the templates of `relations.py` over one sentence: who, what, and whether it is denied or only planned."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

from graphmem.model.knowledge import DependencyType, EntityType
from graphmem.model.parsed import Token
from graphmem.rules.language.marks import Sieve
from graphmem.rules.reading import phrases, relations
from graphmem.rules.reading.mentions import Mention
from graphmem.rules.reading.relations import Template
from graphmem.rules.reading.wording import Wording, speaker_name, trimmed

_DROPPED = re.compile(r"[`*]")
_NEGATIVE = re.compile(rf"(?i)\b(?:{phrases.NEGATIVE})(?!\w)")
_FIRM_PLAN = re.compile(
    r"(?i)\bwill\b|'ll\b|\b(?:going to|gonna|plans? (?:to|on)|planning to|planned to|intends? to|"
    r"scheduled to|about to|expects? to|wants? to)\b"
)
_VAGUE = re.compile(
    r"(?i)\b(?:wanted to|would|should|could|might|may|can|must|shall|hopes? to|hoping to|needs? to|"
    r"needed to|have to|has to|had to|tries to|"
    r"trying to|considering|thinking of|thinking about|supposed to|able to|used to|previously|formerly|"
    r"had|like to|love to|likely to|did|was|were)\b|'d\b"
)
_BE = re.compile(
    r"(?i)\b(?:is|are|was|were|be|been|being|has|have|started|began|got|ended up|stopped|stop|stops)\b|"
    r"'(?:s|re|m|ve)\b"
)
_IS = re.compile(r"(?i)\b(?:is|are|am|was|were|be|been|remains?)\b|'(?:s|re|m)\b")
_NEEDS_BE = frozenset({"is_a", "status", "due", "allergic_to", "from", "born", "married_to"})
_PAST = re.compile(r"(?i)^(?:\w+ed|ran)\b")
_BOUNDARY = re.compile(
    rf";|, along with\b|,? (?:plus|but|because|although|though|while|whereas|so that|so|unless|which|except|if|"
    rf"and then)\b|(?: -|—|–) |[.!?] |\. |,? and (?=(?:(?:it|they|we|I|he|she|also|"
    rf"then|its|their|our|my|there)\b|(?:the |our |{phrases.P} )?{phrases.M}(?:'s)? (?!and\b|or\b|for\b|"
    rf"in\b|to\b)[a-z]|{phrases.P} |(?:now |also |still )?"
    rf"(?:{phrases.NEXT_VERB})\b))|,? and (?=(?:the |our )?(?:{phrases.SLOTS})\b)|, (?=(?:it|they|we|I|he|"
    rf"she|the|{phrases.M})\b[^,]* (?:{phrases.NEXT_VERB})\b)",
)
_BAD_BEFORE = re.compile(
    r"(?i)\b(?:of|for|in|on|to|with|from|by|about|than|like|as|via|at|behind|between|against|under|"
    r"without|into|if|when|once|whenever|unless|before|after|until|whether|and|using)"
    rf"(?: {phrases.DETERMINER[:-2]})?\s*$"
)
_CLAUSE_OPENERS = re.compile(r"(?i)(?:^|[,;] )(?:and|as) (?:the |our |a )?$")

_UNDER_WAY = re.compile(r"(?i)^(?:migrate|move|switch)$|(?:mov|migrat|switch|transition|replac)ing$")
_WAS = re.compile(r"(?i)\s*(?:\w+ly )?(?:was|were|did|had)(?: \w+ly| not)?\s*")
_PARTICIPLE = re.compile(
    r"(?i)(?:\w+ing|hosted|deployed|built|written|implemented|based|backed|powered|developed|coded|served|blocked|informed|"
    r"owned|maintained|led|managed|headed)\b"
)

Mood = Literal["stated", "denied", "planned"]

_JOINT = re.compile(r"[;:]\s+|\s[—–-]{1,2}\s+|,\s+(?:and|but|so(?!\sthat)|yet)\s+|\s+(?:and|but)\s+|,\s+")
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "EX", "CD"})
_BEFORE_NOUNS = frozenset({"DT", "PDT", "PRP$", "JJ", "JJR", "JJS", "POS", "RB", "HYPH", "AFX", "VBG", "VBN", "NFP"})
_SUBORDINATOR = re.compile(
    r"(?i)\b(?:if|unless|when|whenever|while|because|since|although|though|until|before|after|once|as|that|which|who|"
    r"whose|whether|how|what|where|why)\b"
)
_EXEMPT = frozenset({"exempt", "exempted", "excluded", "excepted", "exception", "exceptions"})
_JOINED_ORDER = re.compile(
    r"(?i)(?:please |pls )?(?:never|always|do not|don['’]t) (?!mind\b|ever mind\b)[a-z]|so (?:no|nothing) \w"
)
_ORDER = re.compile(r"(?i)(?:never|always|do not|don't|only|no|please)\b")


@dataclass(frozen=True, slots=True)
class Part:
    """An independent clause [start, end) of a sentence, and what joins it to the one before."""

    start: int
    end: int
    joint: str


def independent(
    text: str, start: int, end: int, tokens: Sequence[Token], mentions: Sequence[Mention] = ()
) -> list[Part]:
    """The independent clauses of the sentence [start, end): each has a subject and a verb of its own, or follows ":".

    What hangs on another clause ("because …", "which …") stays with it, and so does what shares its subject.
    """
    nouns = frozenset(t.start for t in tokens for m in mentions if m.start <= t.start < m.end and not m.possessive)
    parts, first, joint = [], start, ""
    for mark in _JOINT.finditer(text, start, end):
        left = [token for token in tokens if first <= token.start < mark.start()]
        right = [token for token in tokens if token.start >= mark.end()]
        ordered = (
            mark[0].startswith(",")
            and bool(_JOINED_ORDER.match(text, mark.end(), end))
            and any(token.tag in _FINITE for token in left)
        )
        said = text[first : mark.start()]
        if _is_entry(left, nouns, mark[0]):
            continue
        if mark.start() > first and (ordered or _parts(mark[0].strip(), said, left, right, nouns)):
            parts.append(Part(first, mark.start(), joint))
            first, joint = mark.end(), mark[0]
    return [*parts, Part(first, end, joint)] if first < end else parts


def _is_entry(left: Sequence[Token], nouns: Collection[int], mark: str) -> bool:
    """Whether a name alone stands before a dash or colon: what follows is said of it."""
    words = [token for token in left if token.text not in "`*\"'" and token.tag not in ("DT", "HYPH")]
    return mark.strip()[:1] in tuple(":—–-") and bool(words) and all(token.start in nouns for token in words)


def _parts(mark: str, before: str, left: Sequence[Token], right: Sequence[Token], nouns: Collection[int]) -> bool:
    if any(token.text.lower() in _EXEMPT for token in right[:6]):
        return False
    if mark[:1] in tuple(":;—–-"):
        stop = next((i for i, token in enumerate(right) if token.text in (":", ";")), len(right))
        ordered = bool(right) and (right[0].tag == "VB" or bool(_ORDER.match(right[0].text)))
        return stop > 2 and (ordered or any(token.tag in _FINITE for token in right[:stop]))
    if not any(token.tag in _FINITE for token in left):
        return False
    hangs = _SUBORDINATOR.match(before) if mark else None
    if (hangs and "," not in before) or (mark in ("and", "but") and _SUBORDINATOR.search(before)):
        return False
    return _opens(right, nouns)


def _opens(tokens: Sequence[Token], nouns: Collection[int]) -> bool:
    """Whether a subject and its verb stand first."""
    named = False
    for index, token in enumerate(tokens[:12]):
        if token.tag in _FINITE and token.start not in nouns:
            # "I think" and "you know" at the end belong to the clause before.
            return named and len(tokens) - index > 2
        if (
            token.tag in _NOUNS
            or token.start in nouns
            or (token.tag == "DT" and token.text.lower() in ("this", "that", "these", "those"))
        ):
            named = True
        elif not (
            token.tag in _BEFORE_NOUNS
            or token.text in "`*\"'“”"
            or (named and token.tag == "IN" and token.text.lower() in ("of", "for", "behind"))
        ):
            return False
    return False


@dataclass(frozen=True, slots=True)
class Fact:
    """What one clause says about `about`. `needs` are dependencies as (source, target, type); `types` what the clause
    shows an entity to be; `value` is what fills the slot, so that the same said twice is told from a change. `span` is
    where in the message its words are, None where they are those of the whole clause."""

    relation: str
    about: Mention
    aspect: str
    content: str
    mood: Mood
    claim_key: str | None = None
    needs: tuple[tuple[Mention, Mention, DependencyType], ...] = ()
    others: tuple[Mention, ...] = ()
    types: tuple[tuple[str, EntityType], ...] = ()
    value: str = ""
    span: tuple[int, int] | None = None


@dataclass(slots=True)
class Masked:
    """A sentence in which every mention is one character, and where each character stands in the message. `stops` are
    the places in the message where one of its predicates ends."""

    text: str
    origin: list[tuple[int, int]]
    mentions: list[Mention]
    stops: Sequence[int] = ()
    end: int = field(init=False)

    def __post_init__(self) -> None:
        self.end = self.origin[-1][1] if self.origin else 0

    def at(self, position: int) -> int:
        return self.origin[position][0] if position < len(self.origin) else self.end

    def upto(self, position: int) -> int:
        return self.origin[position - 1][1] if position else self.at(0)

    def span(self, first: int, last: int) -> tuple[int, int]:
        return self.at(first), self.upto(last)

    def named_in(self, part: str) -> list[Mention]:
        found = [self.mentions[ord(c) - 0xE000] for c in part if "\ue000" <= c <= "\uefff"]
        return found + [self.mentions[ord(c) - 0xF000] for c in part if "\uf000" <= c <= "\uf8ff"]


def mask(text: str, start: int, end: int, mentions: Sequence[Mention], stops: Sequence[int] = ()) -> Masked:
    """The sentence [start, end) with its mentions, at most 250, each as one private character; marks of emphasis go."""
    characters: list[str] = []
    origin: list[tuple[int, int]] = []
    position, listed = start, list(mentions[:250])
    for index, mention in enumerate([*listed, None]):
        for at in range(position, mention.start if mention else end):
            char = "'" if text[at] == "’" else " " if text[at].isspace() else text[at]
            if _DROPPED.match(char) or (char == " " and characters[-1:] == [" "]) or "\ue000" <= char <= "\uf8ff":
                continue
            characters.append(char)
            origin.append((at, at + 1))
        if mention:
            characters.append(chr((0xF000 if mention.possessive else 0xE000) + index))
            origin.append((mention.start, mention.end))
            position = mention.end
    return Masked("".join(characters), origin, listed, stops)


@dataclass(frozen=True, slots=True)
class Reading:
    """One clause as it is read: its words masked, the words they become, and what we and "the default branch" mean."""

    masked: Masked
    wording: Wording
    technical: bool
    project: Mention | None = None

    def show(self, mention: Mention) -> str:
        return speaker_name(mention, technical=self.technical) if mention.found == "speaker" else mention.name

    def words(self, first: int, last: int) -> str:
        """The words of [first, last) of the masked text, made absolute, without fillers at the end."""
        return trimmed(self.wording.render(self.masked.at(first), self.masked.upto(last)))


@dataclass(frozen=True, slots=True)
class Clause:
    """A match with its subjects found: [body, end) is what is said of them."""

    match: re.Match[str]
    template: Template | None
    subjects: tuple[Mention, ...]
    body: int
    end: int
    mood: Mood


_TABLE: tuple[Template | re.Pattern[str], ...] = (
    relations.MIGRATION,
    relations.REPLACEMENT,
    relations.CHOICE,
    *relations.LINKS,
    *relations.ABOUT,
    relations.HOLDING,
)
"""All that is read, the more telling first."""


@cache
def _sieve() -> Sieve:
    return Sieve(one.spelled if isinstance(one, Template) else one.pattern for one in _TABLE)


def read_clauses(masked: Masked, facts_of: Callable[[Clause], list[Fact]]) -> list[Fact]:
    """The facts of all templates in order of place; of two that read the same words, the earlier in the table that
    has something to say."""
    raw: list[tuple[int, int, re.Match[str], Template | None]] = []
    for order in _sieve().tried(masked.text):
        one = _TABLE[order]
        template, pattern = (one, one.pattern) if isinstance(one, Template) else (None, one)
        raw += [(match.start("body"), order, match, template) for match in matches(pattern, masked.text)]
    found: list[Clause] = []
    facts: list[Fact] = []
    for _, _, match, template in sorted(raw, key=lambda item: item[:2]):
        if any(_same_words(match, other.match) for other in found):
            continue
        subjects = _subjects(masked, match, found)
        clause = _clause(masked, match, template, subjects) if subjects else None
        said = facts_of(clause) if clause else []
        if clause and said:
            found.append(clause)
            facts += [replace(fact, span=masked.span(match.start("body"), clause.end)) for fact in said]
    return facts


def matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    position = 0
    while match := pattern.search(text, position):
        yield match
        # What was the object may be the subject of the next clause.
        position = max(match.start("body"), match.start() + 1)


def _same_words(match: re.Match[str], other: re.Match[str]) -> bool:
    """Whether two matches read the same verb."""
    inside = other.start("body") < match.start("body") < other.end() and match["subj"] is None
    return inside or abs(match.start("body") - other.start("body")) <= 1


def _subjects(masked: Masked, match: re.Match[str], found: Sequence[Clause]) -> tuple[Mention, ...]:
    if match["subj"]:
        if match["rel"]:
            # "which" goes back to the last thing named alone.
            return tuple(masked.named_in(match["subj"]))[-1:]
        before = masked.text[: match.start("subj")]
        if _BAD_BEFORE.search(before) and not _CLAUSE_OPENERS.search(before):
            return ()
        return _own_subjects(masked, match, found)
    last = next((clause for clause in reversed(found) if clause.match.end() <= match.start() + 1), None)
    if last is None or match.start() - last.match.end() > 60:
        return ()
    between = masked.text[last.match.end() : match.start()]
    return () if re.search(rf"{phrases.M}|\b(?:which|that|who|he|she|they|it|you)\b", between) else last.subjects


def _own_subjects(masked: Masked, match: re.Match[str], found: Sequence[Clause]) -> tuple[Mention, ...]:
    """The subjects without those that end the clause before: B alone in "X calls A, and B calls C"."""
    first = match.start("subj")
    placed = [
        (first + at, masked.mentions[ord(c) - 0xE000])
        for at, c in enumerate(match["subj"])
        if "\ue000" <= c <= "\uefff"
    ]
    pronoun = next((index for index, (_, mention) in enumerate(placed) if mention.found == "pronoun"), 0)
    free = [m for at, m in placed[pronoun:] if not any(c.match.start("body") < at < c.match.end() for c in found)]
    return tuple({m.name: m for m in free or [m for _, m in placed[-1:]]}.values())


def _clause(
    masked: Masked, match: re.Match[str], template: Template | None, subjects: tuple[Mention, ...]
) -> Clause | None:
    mood = _mood(match, template)
    if mood is None or ("'s" in match["pre"] and subjects[-1].found not in ("pronoun", "speaker")):
        return None  # "Anna's love" is no verb
    if mood == "planned" and template is not None and template.aspect == "preferences":
        return None
    end = min(end_of(masked, match.end()), len(masked.text))
    if "value" in match.groupdict() and match["value"]:
        # A value runs on to the end of its clause, no further.
        end = end_of(masked, match.start("value"))
    if match["rel"] and "," in masked.text[match.end() : end]:
        end = masked.text.index(",", match.end())
    return Clause(match, template, subjects, match.start("pre"), end, mood)


def end_of(masked: Masked, position: int) -> int:
    boundary = _BOUNDARY.search(masked.text, position)
    end = boundary.start() if boundary else len(masked.text)
    stop = next((stop for stop in masked.stops if stop >= masked.at(position)), masked.end)
    return next((place for place in range(position, end) if masked.at(place) >= stop), end)


def _mood(match: re.Match[str], template: Template | None) -> Mood | None:
    """Whether it is so, is denied or is planned; None where it is vague, or was so once."""
    pre = match["pre"]
    verb = match.groupdict().get("verb") or match["body"].split()[0]
    firm = bool(_FIRM_PLAN.search(pre))
    if not firm and _VAGUE.search(_NEGATIVE.sub("", pre)) and not _may_be_past(pre, template):
        return None
    if template and template.dependency and not firm and _is_no_present(pre, verb, template):
        return None
    if template and template.relation in _NEEDS_BE and (firm or not _IS.search(f"{pre} {match['body'][:5]}")):
        return None
    if template and template.relation == "likes" and verb.lower() == "like" and _IS.search(pre):
        return None  # "is like a language"
    if _NEGATIVE.search(pre):
        return "denied"
    if template and template.relation == "lives_in" and verb.lower() == "moving":
        return "planned"
    return "planned" if firm or (template is None and _UNDER_WAY.search(verb)) else "stated"


def _may_be_past(pre: str, template: Template | None) -> bool:
    """Whether was, did or had leave the statement standing: it tells of a change, or of what lasts."""
    if template is None:
        return bool(re.search(r"(?i)\b(?:was|were)\b", pre))
    return template.relation == "prefers" or bool(template.lasting and _WAS.fullmatch(pre))


def _is_no_present(pre: str, verb: str, template: Template) -> bool:
    """Whether a verb only describes ("a service using Redis"), or tells of what was ("used Redis")."""
    participle = _PARTICIPLE.match(verb)
    if participle:
        needs_be = verb.lower().endswith("ing") or template.relation in (
            "runs_on",
            "blocked_by",
            "informed_by",
            "owned_by",
        )
        return needs_be and not _BE.search(pre)
    return not template.lasting and bool(_PAST.match(verb))
