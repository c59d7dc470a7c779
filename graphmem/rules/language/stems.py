"""Stems: a key that the forms of one English word share."""

import re
from functools import lru_cache


def word_set(text: str) -> frozenset[str]:
    """The words of a text, unchanged."""
    return frozenset(text.split())


def entries(text: str, mark: str = ";") -> list[str]:
    return [" ".join(entry.split()) for entry in text.split(mark)]


# Forms that the endings alone would not unify: the key, then its forms.
IRREGULAR = {
    form: forms.split()[0]
    for forms in entries(
        """use used using uses; run ran; sell sold; buy bought; begin began begun; hide hid hidden; win won;
    show shown; go went gone goes going; take took taken; meet met; break broke broken; become
    became; send sent; wake woke; sleep slept; teach taught; wear wore; write wrote written; rewrite rewrote
    rewritten; rebuild rebuilt; keep kept; hold held; lead led; build built; speak spoke spoken; drive drove driven; eat
    ate eaten; drink drank; know knew known; have has had having; quit quitting; marry married marries; do does
    did done;
    mean meant; leave left; find found; forbid forbade forbidden; ring rang rung; sing sang sung; swim swam swum;
    give gave given; get got gotten; see saw seen; come came; fall fell fallen; fly flew flown; grow grew grown; draw
    drew drawn; throw threw thrown; ride rode ridden; rise rose risen; choose chose chosen; steal stole stolen; feel
    felt; hear heard; pay paid; bring brought; catch caught; fight fought; seek sought; sit sat; stand stood;
    tell told; think thought; spend spent; lend lent; bend bent; deal dealt; feed fed; breed bred; shoot shot; hang
    hung; stick stuck; strike struck; dig dug; swear swore sworn; tear tore torn; shake shook
    shaken; bite bit bitten; blow blew blown; shine shone; sink sank sunk; shrink shrank
    shrunk; spring sprang sprung; lose lost; say said; make made; withdraw withdrew withdrawn; undergo
    underwent undergone; overtake overtook overtaken; sweep swept; weep wept; creep crept; kneel knelt; bind bound;
    slide slid; weave wove woven; burn burnt; learn learnt; dream dreamt; spell
    spelt; spill spilt"""
    )
    for form in forms.split()
}
"""The stem of each irregular form."""
_VOWEL = re.compile(r"[aeiouy]")
_DOUBLED = re.compile(r"([bdfglmnprtz])\1$")


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A key that the forms of one English word share; only for comparing keys with each other.

    Words with digits and words of other scripts stay unchanged. Takes a word as returned by
    `rules.language.text.words`.

    >>> {stem(word) for word in ("enable", "enables", "enabled", "enabling")}
    {'enabl'}
    >>> stem("stopped") == stem("stopping") == stem("stop"), stem("1.5"), stem("redis")
    (True, '1.5', 'redis')
    """
    word = word.removesuffix("'s")
    word = IRREGULAR.get(word, word)
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    if len(word) > 5 and word.endswith(("eds", "ings")):
        word = word[:-1]
    for suffix in ("ing", "ed"):
        rest = word.removesuffix(suffix)
        if rest != word and len(rest) >= 3 and _VOWEL.search(rest) and not word.endswith("eed"):
            return _ending(rest)
    if word.endswith("es") and word[:-2].endswith(("s", "x", "z", "ch", "sh")):
        return _ending(word[:-2])
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return _ending(word)


def _ending(word: str) -> str:
    if len(word) > 3:
        word = _DOUBLED.sub(r"\1", word)
        word = word.removesuffix("e")
    if word.endswith("ie"):
        return word[:-1]
    return word[:-1] + "i" if word.endswith("y") and len(word) > 2 and word[-2] not in "aeiou" else word


def stems(text: str) -> frozenset[str]:
    """The `stem` of each of the words in a text."""
    return frozenset(map(stem, text.split()))
