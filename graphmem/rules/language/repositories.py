"""Repositories that a text names with their owners: acme/billing.

Two words with a slash between them may be anything (client/server, src/app), so they are a repository only with
evidence: an address of a code host, or a word such as "repo" or "clone" near them. Further names with the same owner in
the same text are repositories too.
"""

import re
from typing import NamedTuple

from graphmem.rules.language.text import fold

_OWNER = r"[A-Za-z0-9](?:[A-Za-z0-9]|-(?=[A-Za-z0-9])){0,38}"
_NAME = r"[A-Za-z0-9_.-]{0,99}[A-Za-z0-9_-]"
_PATH = rf"(?P<owner>{_OWNER})/(?P<name>{_NAME})"
_ALONE = r"(?<![\w/.@:~-])"
_ENDS = r"(?![\w/@-]|\.\w)"
_HOSTED = re.compile(
    r"(?<![\w/.-])(?:(?:https?|ssh|git)://)?(?:[\w.-]+@)?(?:www\.)?"
    rf"(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|gitea\.com)[/:]{_PATH}"
    r"(?:/[^\s<>\"')\]]*[^\s<>\"')\].,;:!?])?/?"
)
_BEFORE_WORD = re.compile(
    rf"{_ALONE}{_PATH}[`\"'*]{{0,3}}\s+(?:git\s+)?(?:mono)?(?:repos?|repositor(?:y|ies)|forks?|mirror)\b"
)
_BEHIND_WORD = re.compile(
    r"(?i)\b(?:repos?|repositor(?:y|ies)|fork(?:s|ed|ing)?|clon(?:e|es|ed|ing)|submodules?)"
    r"(?:\s+(?:of|from|is|at|called|named|the|our|my|upstream)){0,2}:?\s+[`\"'*(]{0,3}" + _PATH + _ENDS
)
_ANY = re.compile(_ALONE + _PATH + _ENDS)
_WORDS = """
    and or he she his her him yes no on off in out up down us them input output client server read write src lib app
    apps test tests docs doc bin etc usr var opt home tmp dev feature features bugfix hotfix fix release releases origin
    upstream refs heads tags remotes packages modules api v1 v2 node_modules dist build backend frontend before after
    push pull orgs users topics explore settings marketplace sponsors about login search groups dashboard"""
_NO_OWNER = frozenset(_WORDS.split())
"""Words before a slash that are not owners: halves of pairs, folders, branches, pages of code hosts."""


class Repository(NamedTuple):
    """Code points [start, end), and the name with its owner."""

    start: int
    end: int
    name: str


def repositories(text: str) -> list[Repository]:
    """The repositories that a text names, in order, without overlap.

    >>> [one.name for one in repositories("The acme/billing repository depends on acme/conf, not on src/conf.")]
    ['acme/billing', 'acme/conf']
    >>> [one.name for one in repositories("see https://github.com/acme/billing/issues/12 and a client/server pair")]
    ['acme/billing']
    """
    if "/" not in text:
        return []
    found: dict[int, Repository] = {}
    for match in _HOSTED.finditer(text):
        _add(found, match, match.start(), match.end())
    for pattern in (_BEFORE_WORD, _BEHIND_WORD):
        for match in pattern.finditer(text):
            _add(found, match, match.start("owner"), match.end("name"))
    owners = {fold(one.name.partition("/")[0]) for one in found.values()}
    for match in _ANY.finditer(text) if owners else ():
        if fold(match["owner"]) in owners:
            _add(found, match, match.start(), match.end())
    return [found[start] for start in sorted(found)]


def _add(found: dict[int, Repository], match: re.Match[str], start: int, end: int) -> None:
    name = match["name"].removesuffix(".git")
    if fold(match["owner"]) in _NO_OWNER or match["owner"].isdigit() or not name.strip("._-"):
        return
    if not any(one.start < end and start < one.end for one in found.values()):
        found[start] = Repository(start, end, f"{match['owner']}/{name}")
