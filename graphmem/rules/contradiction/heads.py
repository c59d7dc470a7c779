"""What a statement is about, as the words that it begins with, and whether that is another thing than what another
statement begins with: the choir, the youth choir; the guest house, the house guest; the network, the network team."""

import re

from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction.alike import LIGHT
from graphmem.rules.contradiction.antonyms import key
from graphmem.rules.contradiction.gists import shared_key
from graphmem.rules.contradiction.laying import is_participle
from graphmem.rules.language.stems import entries, stems, word_set
from graphmem.rules.language.text import fold, words


def has_more(old: str, new: str) -> bool:
    """Whether the subject of the newer one is that of the older one and a word more: the choir, the youth choir; or
    what belongs to it: the choir, the choir's rivals."""
    before, after = fold(old), fold(new)
    if (theirs := _BELONGING.match(after)) and theirs["what"][:4] not in before:
        return _head(before) == _keys_told(theirs["whose"]) != frozenset()
    if not _DETERMINED.match(before) or not _DETERMINED.match(after):
        return False
    mine, yours = _head(before), _head(after)
    more = yours - mine - _keys_told(before) - _names_of(new) - LIGHT
    return bool(mine) and mine < yours and bool(more - (table.TYPE_WORDS - _CREWS) - _SAYS_LITTLE)


def _head(text: str) -> frozenset[str]:
    """The words that the statement begins with, up to its verb or to whose it is."""
    head = _UP_TO_VERB.split(text, maxsplit=1)[0].partition("'s ")[0]
    if "," in head:
        return frozenset()  # something is told before
    said = words(head)
    verb = next((at for at, word in enumerate(said) if at > 1 and (is_participle(word) or word[-2:] == "ly")), None)
    return _keys_told(" ".join(said[:verb]))


def _keys_told(text: str) -> frozenset[str]:
    return frozenset(shared_key(key(word)) for word in words(text) if word not in table.EMPTY)


def headed_apart(old: str, new: str) -> bool:
    """Whether two nouns stand the other way round, so that another one is the thing: the guest house, the house guest;
    the backup server, the backup of the server; or one looks like the verb of the other: the market, the marketing.
    When something starts is not when it ends."""
    ends = [{found[1] is not None for found in _BOTH_ENDS.finditer(fold(text))} for text in (old, new)]
    if all(ends) and not ends[0] & ends[1]:
        return True
    heads = [_UP_TO_VERB.split(fold(text), maxsplit=1)[0] for text in (old, new)]
    said = [[word for word in words(head) if word not in _SMALL_WORDS] for head in heads]
    keys = [[shared_key(key(word.removesuffix("'s"))) for word in side] for side in said]
    if keys[0] == keys[1]:
        return any(one != other and {one, other} in _TWO_NOUNS for one, other in zip(*said, strict=True))
    if len(said[0]) == 2 and said[0] == said[1][::-1]:
        named = any(
            word in fold(" ".join(re.findall(r"(?<=\s)[A-ZÀ-Þ][\w-]*", text)))
            for text in (old, new)
            for word in said[0]
        )
        return not named  # Minka the cat
    owned = [_OF_THE.match(f"{fold(text)} ") for text in (old, new)]
    return any(
        mine is not None and yours is None and [mine["thing"], mine["whose"]] == other
        for mine, yours, other in ((owned[0], owned[1], said[1]), (owned[1], owned[0], said[0]))
    )


_OF_THE = re.compile(r"(?:the|an?|our|my) (?P<thing>[\w-]+) of (?:the|our|my) (?P<whose>[\w-]+) ")
_SMALL_WORDS = word_set("the a an our my his her their its")
_TWO_NOUNS = tuple(
    set(pair.split())
    for pair in entries(
        "market marketing; build building; park parking; train training; draw drawing; paint painting; house housing;"
        " order ordering; hear hearing; land landing; meet meeting; spring springs; glass glasses; custom customs;"
        " arm arms; good goods; work works; new news; spectacle spectacles; review reviewer; train trainer; training"
        " trainer; rent tenant; report reporter; design designer; paint painter; cap limit; wife husband; girlfriend"
        " boyfriend"
    )
)


_BOTH_ENDS = re.compile(r"\b(?:(start|starting|opening|beginning)|end|ending|closing|finishing) (?:date|day|time)\b")


def _names_of(text: str) -> frozenset[str]:
    return frozenset(shared_key(key(fold(word))) for word in re.findall(r"(?<=\s)[A-ZÀ-Þ][\w-]*", text))


_BELONGING = re.compile(
    r"(?P<whose>(?:(?:the|our|my|his|her|their) )?[\w-]+(?: [\w-]+){0,2})'s (?:[\w-]+ )?"
    r"(?P<what>team|crew|staff|backup|copy|clone|fork|mirror|replica|dashboard|manual|annex|predecessor|successor"
    r"|rivals?"
    r"|competitors?|neighbours?|sister|brother|dog|cat|customers?|users?|driver|author|youth section) "
    r"(?:is|are|was|has|have|had|can|will|does|[a-z]+s|turned|got|moved|now)\b"
)
_UP_TO_VERB = re.compile(
    r" (?:is|are|was|were|has|have|had|does|do|did|can|could|will|would|must|may|should|isn't|aren't|wasn't|doesn't"
    r"|don't"
    r"|hasn't|haven't|won't|can't|no|not|never|now|of|when|where|who|that|which|also|currently|recently"
    r"|(?<!\bthe )(?<!\bour )(?<!\bmy )[a-z]{2,}[a-rt-z]s(?= (?:[a-z]+ly |on |in |at |to |for |with |from |without "
    r"|by )?[\w'\"$€-])"
    r"|(?:plan|want|intend)s?)\b"
)
_DETERMINED = re.compile(r"(?:the|our|my|his|her|their) [a-z]")
_CREWS = stems("team group crew squad department")
"""Who works on a thing and is named after it: the network, the network team."""
_SAYS_LITTLE = stems(
    """new current present former whole entire own only main last first latest recent actual now today again one all
    year day time date start begin stop"""
)
