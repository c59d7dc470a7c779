"""Questions as full-text queries. User text reaches the index only as escaped terms, so no text is a query error."""

import re
from collections.abc import Iterable

from graphmem.rules.language.text import STOP_WORDS, canonical_name, is_unspaced, pieces, words
from graphmem.rules.recall.questions import phrases

MAX_TERMS, MAX_PHRASES = 32, 4
"""Most terms and phrases of a question that are searched; with more the shortest terms are dropped first."""

MAX_TERM_CHARS = 255
"""Letters of the longest term that an index has. A longer word is inside of none, and looking for it is refused as too
much work."""
_SINGLE = re.compile("[\u3040-\u309f\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")
_MARK = re.compile(r"([^\w])")
_ESCAPED = r"\\\1"
_BEGINNING = 5
"""Letters of a word that must agree; its ending may differ."""


def any_of(text: str, agent_key: str, field: str = "searchText") -> str:
    """A query for texts of one agent that contain any word of `text`, best first; '' when the text has no word.

    The agent's key is required but has no weight. Stop words count only when there is nothing else. A phrase in quotes
    is also searched as a whole.

    >>> any_of("What's the (port) of billing-service?", "k1")
    '+agentKey:k1^0 +searchText:("billing" "port" "service")'
    """
    terms = list(dict.fromkeys(piece for term in _terms(text) for piece in pieces(term)))
    if len(terms) > MAX_TERMS:
        terms = sorted(terms, key=len, reverse=True)[:MAX_TERMS]
    if not terms:
        return ""
    sought = [*(_sought(term) for term in sorted(terms)), *map(_quoted, phrases(text)[:MAX_PHRASES])]
    return f"+agentKey:{agent_key}^0 +{field}:({' '.join(sought)})"


def with_parts(parts: Iterable[str], agent_key: str) -> str:
    """A query for texts of one agent with any of these inside a word; '' for none.

    >>> with_parts(["gatewa", "88"], "k1")
    '+agentKey:k1^0 +searchText:(*gatewa* *88*)'
    """
    sought = [_inside(part) for part in parts if len(part) <= MAX_TERM_CHARS][:MAX_TERMS]
    return f"+agentKey:{agent_key}^0 +searchText:({' '.join(sought)})" if sought else ""


def spelled_like(name: str, agent_key: str) -> str:
    """A query for names of one agent whose words are each at most a letter from those of `name`; '' for one without
    words.

    >>> spelled_like("payment gatway", "k1")
    '+agentKey:k1^0 +searchText:(+payment~1 +gatway~1)'
    """
    terms = [_MARK.sub(_ESCAPED, word) for word in words(name)][:MAX_TERMS]
    return f"+agentKey:{agent_key}^0 +searchText:({' '.join(f'+{term}~1' for term in terms)})" if terms else ""


def plain_terms(text: str) -> list[str]:
    """The prefixes of a question's words for a search without an index.

    >>> plain_terms("Who owned the deployments?")
    ['deplo', 'owned']
    """
    return list(dict.fromkeys(term[:_BEGINNING] for term in sorted(_terms(text), key=len, reverse=True)[:MAX_TERMS]))


def coverage(question: str, text: str) -> float:
    """The share of a question's words in a text, by their prefixes; 1 for a question without any.

    >>> coverage("When does the deployment window open?", "It opens on Tuesdays only.")
    0.3333333333333333
    """
    asked = _terms(question)
    said = words(text)
    met = sum(any(word.startswith(term[:_BEGINNING]) for word in said) for term in asked)
    return met / len(asked) if asked else 1.0


def _terms(text: str) -> list[str]:
    """The words of a question that are searched: all but stop words, unless there is nothing else."""
    found = dict.fromkeys(words(text))
    return [word for word in found if word.removesuffix("'s") not in STOP_WORDS] or list(found)


def _sought(term: str) -> str:
    # The index has each Han letter and each hiragana separately, so that a piece is a phrase there. For other scripts
    # without spaces it has whole runs.
    return _inside(term) if is_unspaced(term) and not _SINGLE.fullmatch(term) else _quoted(term)


def _inside(part: str) -> str:
    return f"*{_MARK.sub(_ESCAPED, part)}*"


def _quoted(term: str) -> str:
    # Inside quotes only these two are special; a quoted single word is a term, and a split one a phrase.
    return '"' + term.replace("\\", "\\\\").replace('"', '\\"') + '"'


def name_candidates(text: str, longest: int = 4) -> list[str]:
    """Runs of up to `longest` words of a text that could name an entity, longest first.

    >>> name_candidates("who owns billing service")[:3]
    ['who owns billing service', 'who owns billing', 'owns billing service']
    """
    spaced = [canonical_name(part) for part in text.split()]
    parts = [part for part in spaced if part]
    runs = (
        " ".join(parts[start : start + length])
        for length in range(min(longest, len(parts)), 0, -1)
        for start in range(len(parts) - length + 1)
    )
    return [run for run in dict.fromkeys(canonical_name(run) for run in runs) if run and run not in STOP_WORDS]
