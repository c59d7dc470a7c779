"""What one of two statements abbreviates, told in full as the other one tells it: SRE, K. Wolff, the auth service."""

import re
from functools import lru_cache

_INITIAL = re.compile(r"\b([A-ZÀ-Þ])\.? (?=(?P<last>[A-ZÀ-Þ][a-zß-ÿ'-]+))")
_LETTERS = re.compile(r"\b[A-Z]{2,5}\b")
_ABBREVIATED = {
    "auth": "authentication",
    "prod": "production",
    "infra": "infrastructure",
    "perf": "performance",
    "eng": "engineering",
    "ops": "operations",
    "mgmt": "management",
    "dept": "department",
    "govt": "government",
    "intl": "international",
}
_SHORT = re.compile(rf"\b(?:{'|'.join(_ABBREVIATED)})\b", re.IGNORECASE)


def told_in_full(old: str, new: str) -> tuple[str, str]:
    """Both statements, with what one of them abbreviates as the other one tells it: a first name, a name by its
    letters, a few words.

    >>> told_in_full("K. Wolff is a vet.", "Katharina Wolff isn't a vet.")[0]
    'Katharina Wolff is a vet.'
    >>> told_in_full("SRE is led by Ana.", "Site Reliability Engineering is led by Bo.")[0]
    'Site Reliability Engineering is led by Ana.'
    """
    return (
        _in_full(old, new) if _abbreviates(old) else old,
        _in_full(new, old) if _abbreviates(new) else new,
    )


@lru_cache(maxsize=4_096)
def _abbreviates(text: str) -> bool:
    return any(pattern.search(text) for pattern in (_INITIAL, _LETTERS, _SHORT))


def _in_full(text: str, other: str) -> str:
    def named(found: re.Match[str]) -> str:
        full = re.search(rf"\b({found[1]}[\w'-]+) {re.escape(found['last'])}\b", other)
        if full and (full[0] in text or re.search(rf"\b{found[1]}\.? {re.escape(found['last'])}\b", other)):
            return found[0]
        return f"{full[1]} " if full else found[0]

    def lettered(found: re.Match[str]) -> str:
        rest = r" (?:(?:of|and|the|for) )?".join(rf"{letter}[a-z-]{{2,}}" for letter in found[0])
        full = re.search(rf"\b{rest}\b", other, re.IGNORECASE)
        return full[0] if full else found[0]

    def whole(found: re.Match[str]) -> str:
        full = _ABBREVIATED[found[0].lower()]
        return full if re.search(rf"\b{full}\b", other, re.IGNORECASE) else found[0]

    return _SHORT.sub(whole, _LETTERS.sub(lettered, _INITIAL.sub(named, text)))
