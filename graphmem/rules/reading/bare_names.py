"""Names in small letters that no list knows: "nightly export runs on hathor", "vesper talks to sluice".

A word is one where it stands as only a name can, without an article, as the subject or the object of what systems do,
and often enough in the talk. It is one then wherever it stands without an article.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence

from graphmem.model.knowledge import EntityType
from graphmem.rules.language.gazetteer import HEAD_NOUNS, Identified, Known, identify, lookup
from graphmem.rules.language.stems import word_set
from graphmem.rules.language.text import STOP_WORDS

_WORD = r"(?P<name>[a-z][a-z]{2,17}|(?<=[.!?] )[A-Z][a-z]{2,17}|(?<![\w\s.,])[A-Z][a-z]{2,17})(?![\w-])"
_SURE_VERB = (
    r"(?:talks? to|writes (?:\w+ )?(?:in)?to|reads (?:\w+ )?from|runs on|sits (?:behind|in front)|depends on|relies on|"
    r"belongs to|subscribes to|publishes|listens (?:on|to)|stores|consumes|polls|calls|queries|proxies|forwards|"
    r"(?:is|was) (?:\w+ )?(?:hosted|deployed|proxied|backed|fed|owned|maintained|written|rewritten|built|served|called|"
    r"run) (?:at|on|by|in|with|from|to))"
)
_VERB = (
    rf"(?:{_SURE_VERB}|uses|needs|requires|blocks|hands|sends|pushes|pulls|gets|keeps|speaks|serves|exposes|handles|holds|wraps|"
    r"crashed|crashes|fails|went|fell|stays|throws|is (?:throwing|down|up|back|mine|ours)|does)"
)
_SUBJECT = re.compile(
    r"(?:^|[.!?:;(]\s+|,\s|\b(?:and|but|so|because|since|until|that|when|while|if|unless|once|before|after|fyi|btw)\s)"
    rf"{_WORD} (?:also |now |still |only |already |never |no longer |just )?(?P<verb>{_VERB})\b",
    re.MULTILINE,
)
_ENDS = (
    r"(?=[.,;:!?)]|\s*$|\s(?:and|or|which|that|for|over|on|in|via|since|now|until|too|instead|when|if|is|was|has|goes|went|"
    r"before|after)\b)"
)
_OBJECT = re.compile(
    r"\b(?:runs? on|hosted (?:at|on)|deployed (?:on|to)|talks? to|depends? on|relies on|proxied by|fed by|behind|"
    r"encrypted with|leaves?|appl(?:y|ies) to|restart(?:s|ed)?|redeploy(?:s|ed)?|calls?|uses?|owns?|wraps?|"
    rf"replaced? (?:by|with)|writes to|reads from|moved to|from|into) {_WORD}{_ENDS}",
    re.MULTILINE,
)
_CALLED = re.compile(
    r"\b(?:service|server|host|machine|box|laptop|package|library|module|crate|tool|cluster|database|repo|topic|queue|bucket|"
    r"job|script|worker|node|app|daemon|plugin|program|project)s?,? (?:(?:is |was |it's )?(?:called|named|codenamed)) "
    rf"{_WORD}",
    re.MULTILINE,
)
"""What a thing is told to be called."""
_BESIDE_KIND = re.compile(
    r"\b(?:the|our|a) (?:server|host|machine|package|library|module|crate|cluster|repo|topic|queue|bucket|daemon) "
    rf"(?![a-z]+(?:s|ed|ing|er|ly)\b){_WORD}{_ENDS}",
    re.MULTILINE,
)
"""A name behind what kind of thing it is: "on the server vistula"."""
_WITH_ARTICLE = re.compile(
    r"(?i)\b(?:the|an?|our|my|your|his|her|their|its|this|that|these|those|some|any|no|every|each|more|much|two|three)\s(\w+)"
)
_NO_NAME = word_set(
    """production staging prod dev traffic data code everything nothing something anything everyone nobody someone
    anybody everybody work mail email lunch dinner breakfast coffee tea time life money people team support sales legal
    finance marketing security engineering management everything login checkout search billing auth payments memory disk
    space school home church college bed class music weather water power space food fun art history math science english
    latency throughput performance quality progress room half part one two three most none all both each yes ok okay
    yesterday today tomorrow tonight somebody scratch master main trunk head root default cron prose paper cash card
    plain local remote version release deploy build design feedback access backup backups input output config there here
    this that these those who which what where when why how then than them him her you she they his hers its it we us
    me my our your their not only just now also never always still already soon later again maybe perhaps probably
    really actually basically luckily sadly so but and for nor yet with without within about above below under over
    between among against during before after since until while because although though unless whether if once as at
    by in of off on out to up down from into onto upon via per like unlike near plus minus minor other another such
    same own very too quite rather almost even ever much many more less few fewer least last first next new old"""
)
_ALSO_SYSTEMS = word_set("auth billing checkout login payments pricing search shipping")
"""What people do, and, where it is owned, runs or depends on something, the system that does it."""
_OF_SYSTEMS = re.compile(
    r"(?:depends on|runs on|listens (?:on|to)|reads (?:\w+ )?from|writes (?:\w+ )?(?:in)?to|"
    r"(?:is|was) (?:\w+ )?(?:hosted|deployed|owned|maintained|written|rewritten))\b"
)
_NO_NAME_SHAPE = re.compile(
    r"(?i)\w*(?:tion|sion|ment|ness|ity|ance|ence|ism|ship|ing|ed|ly|ous|ful|able|ible|ive|al|ical|est|logy|cy)"
)


def heard_systems(texts: Sequence[str]) -> frozenset[str]:
    """The words in small letters that name systems in this talk.

    >>> sorted(heard_systems(["The export runs on hathor, and hathor belongs to the data office."]))
    ['hathor']
    """
    subjects: Counter[str] = Counter()
    doing: set[str] = set()
    sure: Counter[str] = Counter()
    objects: Counter[str] = Counter()
    for text in texts:
        for match in _SUBJECT.finditer(text):
            subjects[match["name"].lower()] += 1
            sure[match["name"].lower()] += bool(_IS_SURE.match(match["verb"]))
            if _OF_SYSTEMS.match(match["verb"]):
                doing.add(match["name"].lower())
        objects.update(match["name"].lower() for match in _OBJECT.finditer(text))
    called = {m["name"].lower() for text in texts for rx in (_CALLED, _BESIDE_KIND) for m in rx.finditer(text)}
    common = {match[1].lower() for text in texts for match in _WITH_ARTICLE.finditer(text)}
    told = {word for word, count in subjects.items() if sure[word] or (objects[word] and count + objects[word] > 1)}
    small = {word for text in texts for word in _SMALL.findall(text)}
    return frozenset(
        word
        for word in told | called
        if word in small
        and word not in common
        and (
            word in doing & _ALSO_SYSTEMS
            or (
                word not in _NO_NAME | STOP_WORDS | HEAD_NOUNS
                and (not _NO_NAME_SHAPE.fullmatch(word) or bool(sure[word] and objects[word]))
            )
        )
        and lookup(word) is None
    )


_SMALL = re.compile(r"(?<![\w-])[a-z]{3,18}(?![\w-])")
_IS_SURE = re.compile(_SURE_VERB)


def things_in(text: str, heard: Collection[str]) -> tuple[Identified, ...]:
    """What `identify` finds, and the heard names, in order, without overlap."""
    found = identify(text)
    if not heard:
        return found
    taken = [(one.start, one.end) for one in found]
    names = re.compile(rf"(?i)(?<![\w`/.@-])(?:{'|'.join(sorted(heard))})(?![\w/@-]|\.\w)")
    more = [
        Identified(match.start(), match.end(), Known(match[0].lower(), EntityType.SYSTEM))
        for match in names.finditer(text)
        if not any(start < match.end() and match.start() < end for start, end in taken)
    ]
    return tuple(sorted((*found, *more), key=lambda one: one.start))
