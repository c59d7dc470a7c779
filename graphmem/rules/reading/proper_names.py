"""Names that are written as names: runs of capitalised words, typed by the parser's label where it has one."""

import re
from collections.abc import Sequence

from graphmem.model.knowledge import EntityType
from graphmem.model.parsed import ParsedText, Token
from graphmem.rules.language.gazetteer import TEAM_HEADS
from graphmem.rules.language.stems import word_set
from graphmem.rules.language.text import STOP_WORDS, canonical_name
from graphmem.rules.reading.naming import Mention, Voice

_LABELS = {
    "PERSON": EntityType.PERSON,
    "ORG": EntityType.ORGANISATION,
    "GPE": EntityType.PLACE,
    "LOC": EntityType.PLACE,
    "FAC": EntityType.PLACE,
    "PRODUCT": EntityType.UNKNOWN,
}
NOT_A_NAME = word_set(
    """woah whoa yum yay hooray
    hey hi hello thanks thank yeah yes yep no nope ok okay wow oh ah aw aww haha lol sure great cool nice awesome
    amazing congrats congratulations sorry please bye goodbye morning evening night today tomorrow yesterday
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december mom dad mum sis bro hmm ugh yay well so and but or if when while then
    also actually btw fyi lgtm pr prs tbh imo imho afaik eod eta asap todo api apis cpu ram http https url
    json yaml xml html css ui ux ci cd qa ops sre cto ceo cfo vp hr id sla slo p0 p1 p2 ssl tls tcp udp ip dns
    crud sql db note update reminder team everyone folks guys god jesus christmas easter halloween
    thanksgiving absolutely definitely exactly totally glad happy good bad best love mel's never always only
    all every each must no nobody everyone everybody anyone someone something anything nothing here there this
    that these those we i you he she it they let's let don't keep use make sure check decision decided
    deadline status owner version port plan rule policy root cause info warning error fri mon tue tues wed thu
    thur thurs sat sun q1 q2 q3 q4 pm am utc gmt pst est cet cest english new old big since starting before
    after until during because however therefore meanwhile finally first second third next last both either
    neither what which who whose why how where unless suppose maybe perhaps another other some any most many
    supervisor manager director engineer lead doctor dentist landlord teacher coach captain chair treasurer secretary
    president founder client customer correction question answer agenda notes minutes summary context background
    result results conclusion action actions next later soon reason impact timeline scope goal goals budget launch
    kb mb gb tb kib mib gib ms ghz mhz mbps gbps fps rpm kwh eur usd gbp chf"""
)
_PEOPLES = re.compile(
    r"\w*(?:ian|ean|can|man|ese|ish|nch|tch|elsh|iss|ic|ist|ite|eek|ans|ns|ts|is)|thai|muslim|hindu|jew|sikh|kurd|arab|turk|dane|"
    r"swede|finn|pole|scot|czech|iraqi|israeli|pakistani|bengali|nepali|somali|democrat|maori|tamil|latino|latina|uk|us|eu"
)
"""What the parser rightly takes for a people or a faith: all else that it takes for one is a name it does not know."""
_PLURAL_CAPS = re.compile(r"[A-Z]{2,5}s")
_ALL_CAPS = re.compile(r"[A-Z][A-Z0-9]{1,4}")
_ARTICLE_BEFORE = re.compile(r"(?i)\b(?:the|an?|our|my|your|his|her|their|its|this|that|every|each|no|any|\d+)\s$")
_NOUN_TAGS = frozenset({"NN", "NNS"})
_ARGUMENTS = frozenset({"nsubj", "nsubjpass", "dobj", "pobj", "conj", "appos", "ROOT", "npadvmod", "attr"})
_TEAM_AFTER = re.compile(rf" (?:{'|'.join(sorted(TEAM_HEADS))})\b(?!-)")
_SAINT = re.compile(r"(?:St\.?|Saint) [A-Z][\w-]+")
_NAME_LINKS = frozenset({"of", "the", "and", "&", "-", "de", "van", "von", "der", "del", "la", "'s", "’s", "."})
_PROJECT_BEFORE = re.compile(r"(?i)\bproject\s+$")
_KIN_BEFORE = re.compile(
    r"(?i)\b(?:sister|brother|mother|father|mom|mum|dad|wife|husband|partner|girlfriend|boyfriend|son|daughter|cousin|"
    r"aunt|uncle|niece|nephew|boss|manager|colleague|coworker|roommate|flatmate|friend|neighbou?r|mentor|therapist)"
    r"(?: is|,)? $"
)
_PROJECT_AFTER = re.compile(r"(?i)\s+project\b")


def proper_names(parsed: ParsedText, inside: Sequence[tuple[int, Token]], voice: Voice) -> list[Mention]:
    """Proper names: runs of capitalised proper nouns, typed by the parser's label where it has one."""
    runs: list[list[Token]] = []
    open_run = False
    for position, (_, token) in enumerate(inside):
        first = position == 0 or inside[position - 1][1].text in ('"', "“", ":", "*")
        part = _is_name_part(token, first, voice) or _is_hyphened(inside, position)
        if part or (open_run and token.text in _MORE_OF_NAME):
            between = parsed.text[runs[-1][-1].end : token.start] if open_run or runs else ""
            adjoins = open_run and between in (" ", "")
            adjoins = adjoins and (runs[-1][-1].entity == token.entity or not (runs[-1][-1].entity and token.entity))
            if adjoins or (runs and between in (" & ", "-")):
                runs[-1].append(token)
            else:
                runs.append([token])
            open_run = True
        else:
            open_run = False
    return [mention for run in runs if (mention := _named(parsed, inside, run, voice)) is not None]


def _is_hyphened(inside: Sequence[tuple[int, Token]], position: int) -> bool:
    """Whether a word is a part of a name with hyphens, whatever it is alone: MQ-Gateway, Kestrel-API."""
    for step in (-2, 2):
        first, last = min(position, position + step), max(position, position + step)
        if first < 0 or last >= len(inside):
            continue
        one, hyphen, other = (inside[at][1] for at in (first, first + 1, last))
        if hyphen.text != "-" or (one.end, hyphen.end) != (hyphen.start, other.start):
            continue
        if all(part.text[:1].isupper() and part.entity not in _NO_NAME for part in (one, other)) and not all(
            part.text.lower() in NOT_A_NAME for part in (one, other)
        ):
            return True
    return False


_NO_NAME = frozenset({"NORP", "LANGUAGE", "DATE", "TIME", "ORDINAL", "CARDINAL"})
_MORE_OF_NAME = frozenset({"Ops", "Team", "API", "QA"})
"""Words that go on a name and are none alone."""


def _is_name_part(token: Token, first: bool, voice: Voice) -> bool:
    word = token.text
    if word.lower() in NOT_A_NAME or word.lower() in STOP_WORDS or len(word) < 2:
        return False
    if not word[:1].isupper() and (word.islower() or not word.isalnum() or word[0].isdigit()):
        return False
    if not word.replace("-", "").replace(".", "").replace("'", "").isalnum():
        return False
    heard = word in voice.heard
    if token.entity in ("NORP", "LANGUAGE"):
        return token.tag == "NNP" and not _PEOPLES.fullmatch(word.lower())
    if token.entity in ("DATE", "TIME", "MONEY", "PERCENT", "CARDINAL", "ORDINAL", "QUANTITY") and not heard:
        return token.tag == "NNP" and word.isalpha() and token.entity in ("CARDINAL", "ORDINAL") and not first
    if token.tag in ("NNP", "NNPS") or heard:
        return True
    if first:
        return token.entity in ("PERSON", "GPE") and token.tag in ("NN", "UH", "RB")
    # A capital inside a sentence makes a name of an argument, whatever the parser takes it for.
    return token.entity in _LABELS or (
        token.tag in ("NN", "JJ", "VB", "IN") and token.dep in _ARGUMENTS and len(word) > 3
    )


def _named(
    parsed: ParsedText, inside: Sequence[tuple[int, Token]], run: Sequence[Token], voice: Voice
) -> Mention | None:
    text = parsed.text
    titled = len(run) > 1 and run[0].text == "Project"
    start, end = run[titled].start, run[-1].end
    name = text[start:end]
    canonical = canonical_name(name)
    speaker = speaker_called(canonical, voice)
    if speaker:
        return Mention(start, end, speaker, EntityType.PERSON, "name", certain=True)
    full = [one for one in voice.full_names if one.startswith(f"{name} ")] if len(run) == 1 else []
    if len(full) == 1:
        return Mention(start, end, full[0], EntityType.PERSON, "name")
    if _opens_compound(inside, run, voice) or _is_abbreviation(parsed, inside, run):
        return None
    if team := _TEAM_AFTER.match(text, end):
        return Mention(start, team.end(), text[start : team.end()], EntityType.ORGANISATION, "name")
    label = next((token.entity for token in run if token.entity in _LABELS), "")
    entity_type = _LABELS.get(label, EntityType.UNKNOWN)
    if text[max(0, start - 5) : start] == "Team ":
        return Mention(start - 5, end, f"Team {name}", EntityType.ORGANISATION, "name")
    if name.endswith((" Ops", " Team", " QA")) or " & " in name:
        entity_type = EntityType.ORGANISATION
    if _SAINT.fullmatch(name) and text[end : end + 3] in ("'s ", "’s "):
        end, name = end + 2, text[start : end + 2]
    if _KIN_BEFORE.search(text, max(0, start - 30), start):
        entity_type = EntityType.PERSON
    if titled or _PROJECT_BEFORE.search(text, max(0, start - 12), start) or _PROJECT_AFTER.match(text, end):
        entity_type = EntityType.PROJECT
    if name.isupper() and len(name) <= 5 and entity_type is EntityType.PERSON:
        entity_type = EntityType.UNKNOWN
    return Mention(start, end, name, entity_type, "name")


def _opens_compound(inside: Sequence[tuple[int, Token]], run: Sequence[Token], voice: Voice) -> bool:
    """Whether a word has its capital because a sentence begins with it: "Meter data must stay"."""
    token = run[0]
    if len(run) > 1 or inside[0][1] is not token or token.dep != "compound" or token.text in voice.heard:
        return False
    return len(inside) > 1 and inside[1][1].tag in _NOUN_TAGS and inside[1][1].text.islower()


def _is_abbreviation(parsed: ParsedText, inside: Sequence[tuple[int, Token]], run: Sequence[Token]) -> bool:
    """Whether a word in capitals is one for a common thing: "the TTL", "EXIF data"; NTP in "relies on NTP" is none."""
    if len(run) == 1 and _PLURAL_CAPS.fullmatch(run[0].text):
        return True
    if len(run) > 1 or not _ALL_CAPS.fullmatch(run[0].text) or run[0].entity == "PERSON":
        return False
    token = run[0]
    if _ARTICLE_BEFORE.search(parsed.text, max(0, token.start - 8), token.start):
        return True
    position = next(at for at, (_, other) in enumerate(inside) if other is token)
    after = inside[position + 1][1] if position + 1 < len(inside) else None
    return after is not None and (after.tag in _NOUN_TAGS or after.tag == "CD") and after.text.islower()


def heard_names(parsed: Sequence[ParsedText]) -> frozenset[str]:
    """Words that stand as names inside some sentence, and so are names where a sentence begins too."""
    return frozenset(
        token.text
        for text in parsed
        for before, token in zip(text.tokens, text.tokens[1:], strict=False)
        if token.tag in ("NNP", "NN", "JJ")
        and token.dep in _ARGUMENTS
        and token.entity in ("", *_LABELS)
        and token.text[0].isupper()
        and token.text.isalpha()
        and not token.text.isupper()
        and (before.text.islower() or before.tag == "CC")
        and before.tag != "DT"
        and token.text.lower() not in NOT_A_NAME | STOP_WORDS
    )


def speaker_called(canonical: str, voice: Voice) -> str:
    """The speaker that a name means: by the whole name, or by the first name if only one has it."""
    firsts = [
        person
        for person in sorted(voice.people)
        if canonical in (canonical_name(person), canonical_name(person).split()[0])
    ]
    return firsts[0] if len(firsts) == 1 else ""


def full_names(parsed: Sequence[ParsedText]) -> frozenset[str]:
    """People named in full somewhere in the talk: "Padraig Nolan", whom Padraig alone means as well."""
    found = set()
    for text in parsed:
        for span in text.names:
            words = [token.text for token in text.tokens[span.first : span.last]]
            if span.label == "PERSON" and len(words) == 2 and all(w.istitle() and w.isalpha() for w in words):
                found.add(" ".join(words))
    return frozenset(found)
