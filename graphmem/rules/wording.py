"""A sentence in words that stay true when the conversation is gone: names for pronouns, dates for "yesterday"."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from graphmem.model.knowledge import EntityType
from graphmem.model.parsed import Token
from graphmem.rules.gazetteer import word_set
from graphmem.rules.mentions import THINGS, Mention
from graphmem.rules.relative_dates import FoundDate

_THIRD_PERSON = {
    "am": "is",
    "are": "is",
    "have": "has",
    "do": "does",
    "don't": "doesn't",
    "were": "was",
    "aren't": "isn't",
    "haven't": "hasn't",
    "go": "goes",
    "ain't": "isn't",
    "weren't": "wasn't",
}
_MODALS = word_set("will would can could may might must shall should did had was is has does ought")
_SHORT_FORMS = {
    "I": {"m": " is", "ve": " has", "ll": " will", "d": " would"},
    "we": {"re": " is", "ve": " has", "ll": " will", "d": " would"},
    "others": {"re": " are", "ve": " have", "ll": " will", "d": " would"},
    "it": {"s": " is", "ll": " will", "d": " would", "re": " are", "ve": " have"},
}
_SHORT = re.compile(r"['’](m|re|ve|ll|d|s)\b", re.IGNORECASE)
_ADVERB_TAGS = frozenset({"RB", "RBR", "RBS", "MD"})
PRESENT_VERBS = word_set(
    """are have do were don't haven't aren't use depend rely require need call invoke query talk run read write store
    consume produce publish emit import inherit extend belong live work own maintain lead manage block inform
    feed connect listen subscribe send persist save keep handle prefer love like enjoy hate dislike contain
    include integrate communicate share sit speak study report poll log deploy"""
)
"""Verbs whose form for several subjects is surely a verb where one stands at the start of a clause."""
_SPACES = re.compile(r"\s+")
_MARKUP = re.compile(r"\*\*|(?<!\w)[*_`]+|[*_`]+(?!\w)")


@dataclass(frozen=True, slots=True)
class Wording:
    """The changes that make one sentence absolute: [start, end) of the message becomes the text."""

    text: str
    changes: tuple[tuple[int, int, str], ...]

    def render(self, start: int, end: int) -> str:
        """The words of [start, end), made absolute, on one line, without marks at the edges."""
        parts, position = [], start
        for first, last, new in self.changes:
            if first < position or last > end:
                continue
            parts += [self.text[position:first], new]
            position = last
        parts.append(self.text[position:end])
        joined = _MARKUP.sub("", "".join(parts))
        return _SPACES.sub(" ", joined).strip(' .!,;:–—-"“”')


def wording_of(
    text: str, mentions: Sequence[Mention], dates: Sequence[FoundDate], tokens: Sequence[Token], *, technical: bool
) -> Wording:
    """How a sentence is made absolute. `technical` decides what we stands for: a team at work, or people together."""
    changes: list[tuple[int, int, str]] = [(date.start, date.end, date.wording) for date in dates]
    said_i = False
    for mention in mentions:
        new = _said(text, mention, technical, said_i, [m.name for m in mentions if m.end <= mention.start])
        if new is not None:
            changes.append((mention.start, mention.end, new))
        if mention.found in ("speaker", "pronoun") and not mention.possessive:
            said_i = said_i or mention.found == "speaker"
            changes += _agreements(text, mention, tokens, technical)
    kept: list[tuple[int, int, str]] = []
    for change in sorted(changes):
        if not kept or change[0] >= kept[-1][1]:
            kept.append(change)
    return Wording(text, tuple(kept))


def speaker_name(mention: Mention, *, technical: bool) -> str:
    """How the speaker is written: Alice, Alice's team, Alice and others; an unnamed one is "the user"."""
    name = f"the {mention.name}" if mention.name in ("user", "assistant") else mention.name
    if not mention.group:
        return name
    return f"{name}'s team" if technical else f"{name} and others"


def third_person(verb: str) -> str:
    """The verb as he, she or it takes it.

    >>> third_person("use"), third_person("rely"), third_person("don't"), third_person("push")
    ('uses', 'relies', "doesn't", 'pushes')
    """
    lower = verb.lower().replace("’", "'")
    if lower in _THIRD_PERSON:
        return _THIRD_PERSON[lower]
    if lower in _MODALS or lower.endswith(("ing", "ed", "n't")):
        return verb
    if re.search(r"[^aeiou]y$", lower):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(?:s|x|z|ch|sh|[^aeiouo]o)$", lower) else "s")


def _said(text: str, mention: Mention, technical: bool, said_i: bool, earlier: Collection[str]) -> str | None:
    if mention.found == "software":
        written = text[mention.start : mention.end]
        return mention.name if mention.type is EntityType.TOOL and written != mention.name else None
    if mention.found == "speaker":
        if said_i and text[mention.start : mention.end].lower() == "myself":
            return "themselves"
        if not mention.possessive:
            return speaker_name(mention, technical=technical)
        if said_i:
            return "their"
        mention = mention if technical else replace(mention, group=False)
        return _possessive(speaker_name(mention, technical=technical))
    if mention.found == "pronoun":
        if mention.possessive:
            return None if mention.name in earlier else _possessive(mention.name)
        return mention.name
    return None


def _possessive(name: str) -> str:
    return f"{name}'s"


def _agreements(text: str, mention: Mention, tokens: Sequence[Token], technical: bool) -> list[tuple[int, int, str]]:
    """The verbs that go with a replaced pronoun, in the form that the name takes."""
    word = text[mention.start : mention.end].lower()
    short = _SHORT.match(text, mention.end)
    plural = mention.group and not technical
    if short:
        forms = _SHORT_FORMS["I" if word == "i" else ("others" if plural else "we") if word == "we" else "it"]
        new = forms.get(short[1].lower())
        return [(short.start(), short.end(), new)] if new else []
    if word not in ("i", "we", "they") or plural:
        return []
    at = next((i for i, token in enumerate(tokens) if token.start >= mention.end), len(tokens))
    changes = []
    for index in range(at, min(at + 4, len(tokens))):
        token = tokens[index]
        joined = index + 1 < len(tokens) and tokens[index + 1].text.lower() in ("n't", "n’t")
        if (token.tag in ("VBP", "VB") and token.text.lower() not in _MODALS) or token.text.lower() in (
            "am",
            "are",
            "have",
            "do",
        ):
            changes.append((token.start, token.end, third_person(token.text)))
            break
        if token.text.lower() == "were":
            changes.append((token.start, token.end, "was"))
            break
        if token.tag not in ("RB", "RBR", "RBS") or joined:
            break
    return changes + _later_verbs(tokens, at, changes)


def _later_verbs(
    tokens: Sequence[Token], at: int, changes: Sequence[tuple[int, int, str]]
) -> list[tuple[int, int, str]]:
    """Verbs that share the subject: "I love tea and hate coffee"."""
    if not changes:
        return []
    found = []
    for index in range(at + 1, len(tokens) - 1):
        verb = tokens[index + 1]
        if tokens[index].text.lower() not in ("and", "but"):
            continue
        after = tokens[index + 2].tag if index + 2 < len(tokens) else ""
        tagged = verb.tag in ("VBP", "VB") and verb.dep == "conj"
        if tagged or (verb.text in PRESENT_VERBS and after in ("IN", "TO", "DT", "PRP$", "NNP")):
            found.append((verb.start, verb.end, third_person(verb.text)))
    return found


def is_technical(mentions: Sequence[Mention], sentence: str) -> bool:
    """Whether a sentence is about work on software or another project, so that we means a team."""
    return any(mention.type in THINGS for mention in mentions) or bool(_WORK.search(sentence))


_WORK = re.compile(
    r"(?i)\b(?:branch|deploy\w*|releases?|service|database|api|code|commit|merge|pull request|tests?|"
    r"sprint|production|staging|"
    r"server|backend|frontend|repo|pipeline|migrat\w+|schema|cluster|incident|customers?|feature|"
    r"architecture|version|engineer\w*|sre|devops|on-call|developer|lead|teams?|roadmap|quarter|"
    r"stand-?up|reviews?|PRs?|tool)\b"
)
