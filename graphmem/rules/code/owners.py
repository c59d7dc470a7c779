"""Who owns which file: the rules of CODEOWNERS, of which the last that matches a file applies."""

from collections.abc import Iterable, Sequence

from pathspec import GitIgnoreSpec

from graphmem.model.code import Outline, OwnerRule

OWNER_FILES = frozenset({"CODEOWNERS", ".github/CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"})


def read_owners(text: str) -> Outline:
    """The rules in order. Sections of GitLab and lines without a pattern are left out; a pattern without owners says
    that nobody owns what matches it.

    >>> read_owners("*.py @org/core  # all of it").owners
    (OwnerRule(pattern='*.py', owners=('@org/core',), line=1),)
    """
    rules = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition(" #")[0].replace("\\ ", "\0").split()
        if words and not words[0].startswith(("#", "[", "^[")):
            owners = tuple(word for word in words[1:] if word.startswith("@") or "@" in word)
            rules.append(OwnerRule(pattern=words[0].replace("\0", "\\ "), owners=owners, line=number))
    return Outline(language="owners", owners=tuple(rules))


def owned(rules: Sequence[OwnerRule], paths: Iterable[str]) -> dict[str, OwnerRule]:
    """Each path that some rule matches, with the last such rule."""
    left = set(paths)
    found: dict[str, OwnerRule] = {}
    for rule in reversed(rules):
        fitting = set(GitIgnoreSpec.from_lines([rule.pattern]).match_files(left))
        found.update(dict.fromkeys(fitting, rule))
        left -= fitting
    return {path: rule for path, rule in found.items() if rule.owners}
