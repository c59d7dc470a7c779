"""Repositories by owner and name: where the words say so, and nowhere else."""

import pytest

from graphmem.model.knowledge import EntityType
from graphmem.rules.language.gazetteer import identify
from graphmem.rules.language.repositories import repositories


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The acme/billing repository depends on acme/conf.", ["acme/billing", "acme/conf"]),
        ("We keep it in the `acme/billing` repo.", ["acme/billing"]),
        ("the repository acme/billing.py-tools is archived", ["acme/billing.py-tools"]),
        ("Repo: acme/billing", ["acme/billing"]),
        ("we cloned nodejs/node.js, a fork of oven-sh/bun", ["nodejs/node.js", "oven-sh/bun"]),
        ("forked from torvalds/linux.", ["torvalds/linux"]),
        ("https://github.com/acme/billing/pull/7, and gitlab.com/tools-inc/kit", ["acme/billing", "tools-inc/kit"]),
        ("git@codeberg.org:acme/billing.git", ["acme/billing"]),
        ("ssh://git@bitbucket.org/acme/billing.git", ["acme/billing"]),
        ("acme/a repository, other/b", ["acme/a"]),
    ],
)
def test_what_is_called_a_repository_or_stands_at_a_code_host_is_one(text: str, names: list[str]) -> None:
    assert [one.name for one in repositories(text)] == names


@pytest.mark.parametrize(
    "text",
    [
        "acme/billing is what they call it",
        "the client/server repository",
        "read/write access to the repo, yes/no?",
        "clone src/app and/or lib/core",
        "push to origin/main of the fork origin/main",
        "https://example.com/acme/billing",
        "see github.com/orgs/acme",
        "the repository at /srv/git/acme",
        "3/4 of the repo",
        "2/3 repos are moved",
    ],
)
def test_other_words_with_a_slash_are_none(text: str) -> None:
    assert repositories(text) == []


def test_a_repository_is_named_where_it_stands_and_is_a_project() -> None:
    text = "The acme/billing-service repository uses Redis."
    (found, redis) = identify(text)
    assert (text[found.start : found.end], found.known.name) == ("acme/billing-service", "acme/billing-service")
    assert found.known.type is EntityType.PROJECT
    assert redis.known.name == "Redis"
