"""Who needs whom, read from the grammar of a clause: its verb, and how what is named hangs on it."""

import re

from graphmem.model.knowledge import DependencyType, EntityType
from graphmem.model.parsed import Token
from graphmem.rules.language.stems import word_set
from graphmem.rules.reading.facts import Sentence
from graphmem.rules.reading.mentions import THINGS, Mention, is_thing

D = DependencyType
_ON = ("on", "in", "with", "behind", "atop", "by", "via", "through", "under")
_TO, _FROM = ("to", "into"), ("from", "off")
_LINKS: tuple[tuple[frozenset[str], tuple[str, ...], DependencyType], ...] = (
    (word_set("be run sit live deploy host build rewrite write base implement store keep hold put sell"), _ON, D.USES),
    (word_set("depend rely hinge count build"), ("on", "upon"), D.DEPENDS_ON),
    (word_set("publish emit"), _TO, D.PRODUCES),
    (word_set("write send push forward replicate move migrate switch port go talk connect ship log"), _TO, D.USES),
    (word_set("consume read get fetch pull load poll take receive import ingest sync"), _FROM, D.CONSUMES),
    (word_set("consume"), ("",), D.CONSUMES),
    (word_set("use adopt leverage"), ("",), D.USES),
    (word_set("require need"), ("",), D.REQUIRES),
    (word_set("call query invoke"), ("",), D.CALLS),
    (word_set("import"), ("",), D.IMPORTS),
    (word_set("inherit derive"), _FROM, D.INHERITS),
    (word_set("extend subclass"), ("",), D.INHERITS),
    (word_set("replace swap"), ("with", "by", "for"), D.USES),
    (word_set("wait"), ("for", "on"), D.BLOCKS),
    (word_set("start work run come begin boot function operate do"), ("without",), D.REQUIRES),
    (word_set("sit"), ("behind",), D.USES),
)
"""Who needs whom, by verb and preposition ("" for its object)."""
_HANDED = word_set("belong go hand pass transfer move")
"""With "to" somebody: who owns it now."""
OF_SYSTEMS = word_set(
    """be run sit host build rewrite write implement depend rely publish emit replicate poll import inherit derive
    extend subclass subscribe listen talk call query connect consume store deploy port wait back keep pull get"""
)
"""Verbs whose subject is a system where they lead to software."""
_NEVER_OF_PLACES = word_set("write rewrite read pull poll port fetch load consume call query build connect talk")
_DENIED = re.compile(r"(?i)\b(?:not|instead of|rather than|no longer)(?: (?:on|to|in|with|from|the|by)){0,2} $")


def needs_of(clause: Sentence, verb: Token, about: Mention) -> tuple[tuple[Mention, Mention, DependencyType], ...]:
    """What the thing needs as the verb has it, with each of the things named behind it."""
    if about.type not in THINGS | {EntityType.UNKNOWN} or about.group:
        return ()
    found = []
    for other in clause.mentions:
        role = _role(clause, verb, other) if other.name != about.name and not other.possessive else None
        if role is None or _DENIED.search(clause.text, clause.start, other.start):
            continue
        somebody = other.type in (EntityType.PERSON, EntityType.ORGANISATION) and other.found != "software"
        if somebody and role in _TO and verb.lemma in _HANDED:
            found.append((about, other, D.OWNED_BY))
        elif kind := next((kind for verbs, roles, kind in _LINKS if verb.lemma in verbs and role in roles), None):
            # The parser's small model takes Consul for a place: what a system is written in or reads from is none.
            meant = is_misnamed(other) and about.type is EntityType.SYSTEM
            meant = meant and (other.type is not EntityType.PLACE or verb.lemma in _NEVER_OF_PLACES)
            if meant or (is_thing(other) and other.type in THINGS) or (is_thing(other) and kind is not D.USES):
                found.append((about, other, kind))
    return tuple(found)


def is_misnamed(mention: Mention) -> bool:
    """Whether a name may be that of a system though the parser's small model takes it for somebody's or a place's."""
    return mention.found == "name" and not mention.certain and mention.type not in THINGS


def _role(clause: Sentence, verb: Token, mention: Mention) -> str | None:
    """How a mention hangs on the verb: the preposition, "" for its object, None where it does not."""
    token = next((t for t in reversed(clause.tokens) if mention.start <= t.start < mention.end), None)
    head = clause.at(token.head) if token else None
    while token and head and head is not token and token.dep in ("conj", "appos", "compound", "nmod"):
        token, head = head, clause.at(head.head)
    if token is None or head is None:
        return None
    if token.dep in ("dobj", "attr"):
        return "" if head is verb else None
    if token.dep != "pobj":
        return None
    above = clause.at(head.head)
    if above and above is not verb and above.dep in ("dobj", "prt", "advmod", "nsubjpass", "prep"):
        above = clause.at(above.head)
    return head.text.lower() if above is verb else None
