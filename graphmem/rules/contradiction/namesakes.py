"""Whether two statements tell of two people, pets or firms of one name: Mr and Mrs Novak, a cousin and a colleague Leo,
A. and B. Berg, Acme Inc and Acme Ltd."""

import re

from graphmem.rules.contradiction.antonyms import key
from graphmem.rules.language.stems import entries, stem
from graphmem.rules.language.text import fold


def are_namesakes(old: str, new: str) -> bool:
    """Whether a name of both is told of another one in each.

    >>> are_namesakes("A. Berg is a baker.", "B. Berg is a judge."), are_namesakes("A. Berg bakes.", "Ann Berg bakes.")
    (True, False)
    """
    return _titled_apart(old, new) or _of_other_names(old, new)


def _titled_apart(old: str, new: str) -> bool:
    """Whether they have one name and two titles: Mr and Mrs Novak."""
    titles = [{(name.lower(), _SEX[title.lower()]) for title, name in _TITLE.findall(text)} for text in (old, new)]
    if any(name == other and sex != another for name, sex in titles[0] for other, another in titles[1] - titles[0]):
        return True
    known = [{(found[2], stem(fold(found[1]))) for found in _INTRODUCED.finditer(text)} for text in (old, new)]
    firms = [{(name, form.lower()) for name, form in _FIRM.findall(text)} for text in (old, new)]
    return any(
        name == other and what != another
        for mine, yours in (known, firms)
        for name, what in mine
        for other, another in yours - mine
    )


_INTRODUCED = re.compile(
    r"\b(cousin|brother|sister|son|daughter|nephew|niece|uncle|aunt|colleague|friend|neighbour|neighbor|flatmate"
    r"|classmate|teammate|dog|cat|parrot|horse|Captain|Judge|Father|Professor|Inspector|Colonel|Bishop)(?:-in-law)?"
    r" ([A-ZÀ-Þ][\w-]+)"
)
"""Who or what is called by a name, by what they are."""
_FIRM = re.compile(r"\b([A-ZÀ-Þ][\w-]+),? (Inc|Ltd|GmbH|LLC|Corp|plc|AG|SA|SE|KG|BV|AB|Oy|SpA)\b")


_TITLE = re.compile(
    r"\b(mr|mrs|ms|miss|uncle|aunt|auntie|grandpa|grandma|grandfather|grandmother|brother|sister|king|queen|old|young"
    r"|little|big|saint)\b\.? ([A-ZÀ-Þ][\w-]+)",
    re.IGNORECASE,
)
_SEX = {
    title: place
    for place, said in enumerate(
        entries(
            "mr uncle grandpa grandfather brother king; mrs ms miss aunt auntie grandma grandmother sister queen; "
            "old big; young little; saint"
        )
    )
    for title in said.split()
}
"""By what stands before a name, who is meant: two of one number may be one."""


def _of_other_names(old: str, new: str) -> bool:
    """Whether one is called as the other but for its last letters: Peter, Peters; Philip, Philipp. What is told in the
    plural has another verb."""
    if _are_initialled_apart(old, new) or _are_initialled_apart(new, old):
        return True
    for pattern in (_TITLED, _NAMED):
        one, other = pattern.match(old), pattern.match(new)
        if one and other and one["name"] != other["name"] and one["verb"] == other["verb"]:
            return key(fold(one["name"])) == key(fold(other["name"]))
    return False


_INITIALLED = re.compile(r"\b(?P<letter>[A-ZÀ-Þ])\. (?P<last>[A-ZÀ-Þ][\w'-]{2,})")
_FIRST = r"\b(?!Dr\b|Mr\b|Mrs\b|Ms\b|The\b|Our\b|In\b|On\b|At\b)(?P<letter>[A-ZÀ-Þ])[\w'-]*\.? "


def _are_initialled_apart(one: str, other: str) -> bool:
    """Whether one tells a name by its first letter, and the other one has that last name with another first one."""
    for found in _INITIALLED.finditer(one):
        firsts = {told["letter"] for told in re.finditer(rf"{_FIRST}{re.escape(found['last'])}\b", other)}
        if firsts and found["letter"] not in firsts:
            return True
    return False


_TITLED = re.compile(
    r".*?\b(?:Mr|Mrs|Ms|Dr|Herr|Frau|Sr|Sra|Prof|Professor|Captain|Judge)\b\.? (?P<name>[A-ZÀ-Þ][\w-]+)(?P<verb>)"
)
_NAMED = re.compile(r"(?P<name>[A-ZÀ-Þ][a-zß-ÿ-]+) (?P<verb>is|has|was|does|[a-z]+[^s]s) ")
