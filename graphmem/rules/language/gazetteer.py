"""Software things by name and by shape: names that an English model does not know.

A name counts as it is listed here; a shape (`billing-service`, `src/app.py`, `UserStore`) counts by its form alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from graphmem.model.knowledge import EntityType
from graphmem.rules.language.repositories import repositories
from graphmem.rules.language.software_names import AMBIGUOUS, LISTED
from graphmem.rules.language.stems import word_set
from graphmem.rules.language.text import fold


@dataclass(frozen=True, slots=True)
class Known:
    """A software thing: its preferred name, its type, and the role it plays (such as 'primary database'), or ''."""

    name: str
    type: EntityType
    role: str = ""


@dataclass(frozen=True, slots=True)
class Identified:
    """Where a software thing is named: code points [start, end)."""

    start: int
    end: int
    known: Known


_AMBIGUOUS = word_set(AMBIGUOUS)
_SOFTWARE_TALK = re.compile(
    r"(?i)\b(?:api|apis|app|backend|back-end|branch|bug|builds?|cache|cach(?:ed|ing)|ci|cli|clusters?|"
    r"code|codebase|commits?|"
    r"config|containers?|cpu|databases?|datastore|db|debug|dependency|dependencies|deploy\w*|"
    r"endpoints?|framework|frontend|"
    r"front-end|functions?|gateway|http|https|infra\w*|ingest\w*|language|librar(?:y|ies)|logs?|"
    r"microservices?|migrat\w+|"
    r"class|inherits?|extends|imports?|subclass\\w*|methods?|modules?|monorepo|packages?|parser|"
    r"pipelines?|ports?|port(?:ed|ing)|programm\w+|pull request|queue|queries|query|refactor\w*|releases?|"
    r"repos?|repositor(?:y|ies)|rewrit\w+|runtime|schema|scripts?|sdk|servers?|services?|software|"
    r"sprint|stack|staging|"
    r"streaming|tests?|tooling|typed|ui|versions?|web|workers?|written in)\b"
)

HEAD_NOUNS = word_set(
    """service api worker gateway database db repo repository server backend frontend microservice pipeline cluster
    queue scheduler daemon proxy cache sdk library package module plugin dashboard website app bot crawler
    indexer parser orchestrator platform layer suite component broker registry warehouse cronjob job ingester
    router bus store datastore index client tool cli engine widget webhook exporter importer portal bucket storefront
    renderer tokenizer loader tracker resolver scraper mailer agent extension operator controller consumer producer
    processor firmware simulator planner matcher chatbot schema ui"""
)
"""Heads of names such as "the auth service": a name when a modifier precedes it."""

LONE_HEADS = word_set(
    """gateway frontend backend monolith scheduler dashboard monorepo crawler indexer orchestrator importer exporter
    tokenizer renderer scraper mailer chatbot storefront simulator"""
)
"""Heads that name one thing with only an article: "the gateway"."""

TEAM_HEADS = word_set("team squad guild department crew office committee group council")
NOT_NAMING = word_set(
    """new old same other another this that our your their its his her main whole entire good great best better big
    small little first second last next single shared separate different similar own real current existing
    external internal customer room self health full public private each every any some no more most many
    several few such right wrong primary secondary default legacy simple job message email mail food delivery
    prayer church memorial funeral military community civil foreign favorite favourite local remote central
    free cool nice open managed hosted support sales amazing awesome entire third third-party downstream
    upstream following above affected grocery book convenience department clothing thrift pet toy dating
    phone fitness what which whose one two three dream photo cash music video useful helpful powerful
    excellent perfect operating internal"""
)
"""Words that describe rather than name: "the new service", "customer service"."""

_SYSTEM_TAIL = (
    "service|svc|api|worker|gateway|db|database|server|backend|frontend|app|web|ui|proxy|queue|"
    "scheduler|daemon|job|cron|bot|"
    "pipeline|cluster|cache|operator|controller|consumer|producer|processor|store|router|dashboard|"
    "monolith|broker|indexer|system|"
    "parser|repo|monorepo|core|engine|platform|portal|site|bus|index"
)
_PACKAGE_TAIL = "lib|sdk|cli|client|plugin|toolkit|utils"
_NOT_KEBAB = word_set(
    """self-service full-service eco-system operating-system file-system
    in-app web-app hard-core non-core multi-core dual-core quad-core on-site off-site
    self-serve in-store low-cost room-service super-app re-index built-in fast-api to-do-app day-job pre-db
    cross-platform multi-platform off-platform"""
)
_FILE_TAIL = (
    "py|pyi|ipynb|js|jsx|ts|tsx|mjs|go|rs|rb|java|kt|scala|c|h|cc|cpp|hpp|cs|php|swift|sh|sql|cypher|"
    "html|css|scss|vue|md|rst|txt|"
    "json|jsonl|ya?ml|toml|ini|cfg|conf|env|lock|csv|tsv|xml|proto|tf|gradle|log|parquet|pdf|docx|xlsx"
)
_SHAPES: tuple[tuple[str, str], ...] = (
    ("url", r"\b(?:https?|ftp|wss?|bolt|neo4j|postgres(?:ql)?|redis)://[^\s<>\"')\]]+[^\s<>\"')\].,;:!?]"),
    ("email", r"\b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}\b"),
    ("package", r"(?<![\w@])@?[A-Za-z][\w.-]{0,80}(?:/[\w.-]{1,80})?@v?\d[\w.]*\w"),
    ("package", r"(?<![\w@])[A-Za-z][\w.-]{0,80}(?:\[[\w,]{1,80}\])?(?:==|>=|~=|<=)\d[\w.]*\w"),
    ("file", r"(?<![\w/.])(?:~|\.{1,2})?/?(?:[\w.@-]+/)+[\w@-][\w.@-]*\.(?:" + _FILE_TAIL + r")\b(?!\()"),
    ("file", r"(?<![\w/.@-])[\w-][\w.-]*\.(?:" + _FILE_TAIL + r")\b(?![\w(/@-])"),
    ("file", r"(?<![\w/.`])(?:\*)?\.(?:" + _FILE_TAIL + r") files?\b"),
    (
        "dotted",
        r"(?<![\w/.@#-])[a-z][a-z_]{2,}(?:\.(?!(?:com|org|net|dev|app|gov|edu|internal|local|example|test|cloud|tech|info|"
        r"shop|blog)\b)[a-z][a-z_]{2,})+(?![\w/@-]|\.\w|\()",
    ),
    ("numbered", r"(?<![\w/.@#-])lib(?!er|ra|id|el|it|at|ya|by)[a-z]{2,}\d?(?![\w/@-]|\.\d)"),
    (
        "numbered",
        r"(?<![\w/.@#-])(?!(?:step|level|part|phase|room|tier|day|week|page|item|table|option|covid|year|sprint|team)\d)"
        r"[a-z]{4,}\d[a-z]?(?![\w/@-]|\.\d)",
    ),
    ("file", r"(?<![\w/.-])(?:Dockerfile|Makefile|Jenkinsfile|Procfile|CODEOWNERS)\b"),
    ("symbol", r"(?<![\w.])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\(\)"),
    ("system", r"(?<![\w/-])[A-Za-z][a-z0-9]*(?:[-_][a-z0-9]+){0,8}[-_](?:" + _SYSTEM_TAIL + r")(?![\w/-])"),
    ("package", r"(?<![\w/-])[a-z][a-z0-9]*(?:[-_][a-z0-9]+){0,8}[-_](?:" + _PACKAGE_TAIL + r")(?![\w/-])"),
    ("system", r"(?<![\w/-])(?:db|api|node|web|worker|cache)-\d{1,3}(?![\w/-])"),
    ("code", r"(?<=`)[A-Za-z][\w-]{2,40}(?=`)"),
    ("kebab", r"(?<![\w/.@-])[a-z]{2,}(?:-[a-z0-9]+){1,3}(?![\w/-])(?!\.\w)"),
    ("symbol", r"(?<![\w/.-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w/])"),
    ("symbol", r"(?<![\w/.-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w/])"),
    (
        "camel",
        r"(?<![\w/.'’-])(?!(?:Mc|Mac|De|Le|La|Di|Du|Van|"
        r"O)[A-Z])[A-Z][a-z0-9]+(?:(?:[A-Z][a-z0-9]+)+|[a-z0-9][A-Z]{2,5})(?![\w/'’-])",
    ),
)
_SHAPE = re.compile("|".join(f"(?P<{kind}_{n}>{regex})" for n, (kind, regex) in enumerate(_SHAPES)))
_TYPES = {
    "package": EntityType.PACKAGE,
    "file": EntityType.FILE,
    "symbol": EntityType.SYMBOL,
    "camel": EntityType.SYMBOL,
    "system": EntityType.SYSTEM,
    "kebab": EntityType.SYSTEM,
    "code": EntityType.MODULE,
    "numbered": EntityType.PACKAGE,
    "dotted": EntityType.MODULE,
}
_SYSTEM_PARTS = word_set("db pg api svc srv auth app node web k8s redis kafka mysql postgres cron cache")
# Most hyphenated words are not names; one that has none of these parts and is used like a name is.
_COMMON_PARTS = word_set(
    """a about after again all and any anti as at away back bad based be before big black blue bound by call care class
    clean co colour color cost cut cross custom data day days deep do double down driven drop e each early easy edge
    eight end ended ever ex eye face fair family far fast few fifth first five fix follow for four free friendly front
    full fun future general go gold good grade great green half hand hard head heavy help high home hot hour hours how
    human ill in inter into ish it its keep key kid know known last late lead left less level life light like line
    linked little live local long look looking lot low made mail main make making man many mark max me mega mental meta
    micro mid middle mild min mind mini minute minutes mix mixed money month months more most much multi my name near
    need never new next night nine no non not now odd of off old on once one only open or other out over own page paid
    pan part party past per person phone place plan play plus post pre pro proof proven put quality quarter quick
    quiet quite rate re read ready real red related right rise room round run safe same scale sea second see self semi
    set seven short side sided sight sign silver single six size sized slow small so sold some soon sort space speed
    spread square stage star start state step still stop strong style sub sum super sure take taking talk team tech
    ten term test text the then thing third this three through tie time times to together top touch tour town trade
    train true try turn twelve twenty two type ultra un under up upon us use used value version very view wait walk
    wall warm wash watch water way wear week weeks weekend well what white who wide wife win wine wise with woman word
    work worker world worth would write wrong year years yes yet you young zero
    alive applause bit break burn check come comer court dear depth downs effect even evening even eyed faced fold found
    grown handed hearted hoc hungry ins knit law laws ma maker minded mortem mortems morning nail odds oh old outs owned
    pick reaching rotation save schooler shirt sibling sister brother mother father son daughter socks stand start
    sticks store tail teens throughs tier toe tuned turned ups vis wage winning quo versa style factor"""
)
_ALSO_IN_NAMES = word_set(
    """call care check city color custom data day design edge event face file house key kid line list live local mail
    main mark model night page paper park plan plus point post quarter rate room scale search sea session sign sound
    space speed star stage start state stop store storage table take term test text time track train tree type value
    view wall watch water web wire work"""
)
"""Common parts that can also be part of a name: balance-view."""
_PARTICLES = word_set("in out off up down on over away back by to through around ins ups offs outs through for")
_VERSION_TAIL = re.compile(r"(?:@v?\d|[=<>~]=\d).*$|\[.*$")
_PLURAL_OR_VERB = re.compile(
    r"\s+(?:is|was|has|runs|uses|handles|depends|stores|needs|requires|serves|"
    r"and)\b"
)


def _listed() -> dict[str, Known]:
    names: dict[str, Known] = {}
    for entity_type, role, listing in LISTED:
        for item in listing.split(","):
            preferred, *aliases = (part.strip() for part in item.split("="))
            for spelling in (preferred, *aliases):
                names.setdefault(fold(spelling), Known(preferred, entity_type, role))
    return names


NAMES: dict[str, Known] = _listed()
"""Every listed spelling, folded, and its thing."""

_NAME = re.compile(
    r"(?i)(?<![\w@/.#-])(?:"
    + "|".join(re.escape(name).replace(r"\ ", r"[ ]") for name in sorted(NAMES, key=len, reverse=True))
    + r")(?![\w@/#+-]|\.\w)"
)
_WORD = re.compile(r"(?<![\w@/.#-])\.?\w+")
_FIRST_WORDS = frozenset(match[0] for name in NAMES if (match := _WORD.match(name)))
_MORE_OF_PRODUCT = re.compile(
    r"(?: (?:Hub|Cloud|Streams|Enterprise|Desktop|Studio|Labs|Analytics|Workspace|Pages|Packages|Insights|Alerts|"
    r"Registry|Connect|Sync|Mobile|Drive|Pay|Storage|Messaging|Functions|Run|Sentinel|API))+\b"
)
"""Words after a listed name that make it another product of the same vendor."""


def lookup(name: str) -> Known | None:
    """The thing of a listed name, in any case, or None."""
    return NAMES.get(fold(name.strip("`*\"'")))


@lru_cache(1_000)  # called when a message is parsed and when it is read
def identify(text: str) -> tuple[Identified, ...]:
    """The software things a text names, in order, without overlap; listed names win over shapes.

    Addresses are found too, with type unknown and an empty name: they are neither entities nor words.

    >>> [found.known.name for found in identify("billing-service stores rows in Postgres, see src/db.py")]
    ['billing-service', 'PostgreSQL', 'src/db.py']
    """
    hosted = [Identified(one.start, one.end, Known(one.name, EntityType.PROJECT)) for one in repositories(text)]
    matches = [
        match
        for match in _SHAPE.finditer(text)
        if fold(match[0]) not in _NOT_KEBAB
        and _stands_alone(text, match)
        and not any(one.start < match.end() and match.start() < one.end for one in hosted)
    ]
    if not _SOFTWARE_TALK.search(text) and not any(
        _kind(match) in ("system", "file", "symbol", "package") for match in matches
    ):
        # In a text that is not about software, UserStore may be a brand.
        matches = [match for match in matches if _kind(match) != "camel"]
    shapes = [*hosted, *map(_shaped, matches)]
    taken = [(found.start, found.end) for found in shapes if lookup(text[found.start : found.end]) is None]
    names = [
        _product(text, match)
        for match in _listed_names(text)
        if not any(start < match.end() and match.start() < end for start, end in taken)
    ]
    sure = [found for found in names if not _is_ambiguous(text, found)]
    talk = bool(
        any(found.known.name for found in shapes)
        or _SOFTWARE_TALK.search(text)
        or any(found.known.type is EntityType.TOOL for found in sure)
    )
    kept = [found for found in names if found in sure or (talk and _is_meant(text, found))]
    spans = [(found.start, found.end) for found in kept]
    kept += [found for found in shapes if not any(s < found.end and found.start < e for s, e in spans)]
    return tuple(sorted(kept, key=lambda found: found.start))


def _listed_names(text: str) -> Iterator[re.Match[str]]:
    """Every listed name, from left to right; the pattern of some hundred names is tried only at possible first
    words."""
    read = 0
    for word in _WORD.finditer(text):
        if word[0].lower() in _FIRST_WORDS and word.start() >= read and (match := _NAME.match(text, word.start())):
            yield match
            read = match.end()


def is_team(name: str) -> bool:
    """Whether a name shows that it is a team's: "the Platform team"."""
    return name.lower().split()[-1] in TEAM_HEADS


def type_of_thing(name: str) -> EntityType:
    """The type of a thing by its name alone: listed, or by its shape; else unknown.

    >>> type_of_thing("Postgres").value, type_of_thing("ledger-api").value, type_of_thing("Ana").value
    ('tool', 'system', 'unknown')
    """
    if known := lookup(name):
        return known.type
    whole = [found for found in identify(name) if (found.start, found.end) == (0, len(name))]
    return whole[0].known.type if whole else EntityType.UNKNOWN


def _product(text: str, match: re.Match[str]) -> Identified:
    known = NAMES[fold(match[0])]
    more = _MORE_OF_PRODUCT.match(text, match.end())
    if more is None:
        return Identified(match.start(), match.end(), known)
    return Identified(match.start(), more.end(), Known(text[match.start() : more.end()], EntityType.TOOL))


def _kind(match: re.Match[str]) -> str:
    return (match.lastgroup or "").split("_")[0]


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """Whether a hyphenated word is used like a name: "db-main replicates", not "a well-known shop"."""
    if _kind(match) == "code":
        return fold(match[0]) not in _NO_MODULE and not match[0].isupper()
    if _kind(match) != "kebab":
        return True
    parts = match[0].split("-")
    if parts[0] in _SYSTEM_PARTS:
        return True
    if len(match[0]) < 6 or parts[-1] in _PARTICLES:
        return False
    if _ACTS_AFTER.match(text, match.end()) and _CLAUSE_BEFORE.search(text, max(0, match.start() - 12), match.start()):
        return True
    if parts[-1].endswith(("ed", "ing", "able", "ible")) or any(
        part.endswith("ly") and part not in _NOUNS_IN_LY for part in parts
    ):
        return False
    common = [part for part in parts if part in _COMMON_PARTS]
    if common and (len(common) == len(parts) or not set(common) <= _ALSO_IN_NAMES):
        return False
    if _KIND_AFTER.match(text, match.end()) and _THE_BEFORE.search(text, max(0, match.start() - 5), match.start()):
        return True
    if _A_BEFORE.search(text, max(0, match.start() - 12), match.start()) or _NOUN_AFTER.match(text, match.end()):
        return False
    formed = any(part.endswith(("ed", "ing")) for part in parts)  # "a closed-loop system", and "deploy feed-reader"
    return not (common or formed) or bool(_ARGUMENT_BEFORE.search(text, max(0, match.start() - 12), match.start()))


_NO_MODULE = word_set(
    """main master develop dev true false none null nil yes no todo fixme latest stable get post put delete patch self
    this int str string bool float void async await return import const let var sudo cd ls git npm pip make test run"""
)
"""Texts in backticks that are not modules."""
_A_BEFORE = re.compile(r"(?i)\b(?:an?|very|more|so|too|some|any|no|my|your|his|her|their|these|those|\d+)\s$")
_THE_BEFORE = re.compile(r"(?i)\b(?:the|our)\s$")
_ARGUMENT_BEFORE = re.compile(
    r"(?i)(?:^|[.!?:;,(]\s*|\b(?:to|from|into|onto|on|by|with|of|via|behind|and|calls?|uses?|needs?|reads?|feeds?|"
    r"owns?|runs?|built|builds?|rewrote|(?:deploy|restart|ship|patch|upgrad|migrat|maintain|rewrit|replac)(?:e|s|es|ed|d|ped|ing)?)\s)$"
)
_CLAUSE_BEFORE = re.compile(
    r"(?i)(?:^|[.!?:;,(—–]\s*|\b(?:and|but|so|or|that|because|since|where|while|whether|if|when|once|now|still|also)\s)$"
)
_ACTS_AFTER = re.compile(
    r"\s(?:(?:also|still|now|always|only|already|currently)\s)?"
    r"(?:uses|depends on|requires|needs|calls|imports|runs on|runs in|listens|reads|writes to|talks to|connects to|"
    r"stores|serves|publishes|consumes|subscribes|polls|fetches|exposes|relies on|belongs to|sends|emits|produces|"
    r"loads|feeds|is (?:owned|written|deployed|hosted|part of|built|fed|maintained|run by|served))\b"
)
"""Verbs that follow a name without an article, regardless of its parts: "feed-reader uses Redis"."""
_NOUNS_IN_LY = word_set("ally anomaly assembly family fly lily monopoly rally reply supply tally")
_KIND_AFTER = re.compile(
    r"\s(?:topic|queue|service|package|module|librar(?:y|ies)|repo(?:sitory)?|bucket|table|cluster|job|team|crew|dashboard|"
    r"plugin|stream|index|database|container|daemon|pipeline|worker|script|channel|app|binary|crate)\b"
)
_NOUN_AFTER = re.compile(
    r"\s(?!(?:is|was|has|had|are|were|being|runs|uses|holds|gets|needs|requires|and|or|to|in|on|at|for|with|from|by|of|"
    r"opens?|opened|owns|over|after|before|until|via|through|under|into|onto|instead|without|during|unless|if|than|too|again|"
    r"itself|today|alone|not|as|but|so|since|because|when|which|that|will|must|may|might|can|could|would|should|"
    r"(?:do|does|did|could|would|should|must|is|was|has|had|ca|wo)n't|"
    r"does|did|never|now|also|still|only|went|goes|broke|[a-z]+(?:s|ed))\b)[a-z]"
)


def _shaped(match: re.Match[str]) -> Identified:
    kind = _kind(match)
    text = match[0]
    if kind in ("url", "email"):
        return Identified(match.start(), match.end(), Known("", EntityType.UNKNOWN))
    name = _VERSION_TAIL.sub("", text) if kind == "package" else text.removesuffix("()")
    known = lookup(name)
    return Identified(match.start(), match.end(), known or Known(name, _TYPES[kind]))


def _is_ambiguous(text: str, found: Identified) -> bool:
    return fold(text[found.start : found.end]) in _AMBIGUOUS


def _is_meant(text: str, found: Identified) -> bool:
    """Whether a common word is used as a name: capitalised as listed, and not merely because a sentence begins."""
    word = text[found.start : found.end]
    if word not in (found.known.name, word.capitalize()) or (word.islower() and not found.known.name.islower()):
        return False
    before = text[: found.start].rstrip(" *`\"'(-")
    opens = not before or before[-1] in ".!?:\n"
    return not opens or word.islower() or bool(_PLURAL_OR_VERB.match(text, found.end))
