"""The sentences that graphmem understands, as a table: how each is said, and what it says about whom."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from graphmem.model.knowledge import DependencyType, EntityType
from graphmem.rules.language.stems import word_set
from graphmem.rules.reading.mentions import THINGS, Mention
from graphmem.rules.reading.phrases import ADVERB, AND, IN_BETWEEN, LEAD, NEXT_VERB, NODE, PRE, SLOTS, M, P


def _verbs(*lemmas: str) -> str:
    """Each verb in the present, the past and the -ing form."""
    forms = []
    for lemma in lemmas:
        verb, _, rest = lemma.partition(" ")
        stem = verb.removesuffix("e")
        third = (
            verb[:-1] + "ies" if verb.endswith("ly") else verb + ("es" if verb.endswith(("sh", "ch", "ss")) else "s")
        )
        past = verb[:-1] + "ied" if verb.endswith("ly") else stem + "ed"
        # A rest such as "to" stays outside the verb's own forms.
        forms.append(rf"(?:{verb}|{third}|{past}|{stem}ing)" + (rf"(?:\s{rest})" if rest else ""))
    return "(?:" + "|".join(forms) + ")"


@dataclass(frozen=True)
class Template:
    """One way to say one thing, spelled as a regular expression behind who it is said of.

    `reverse`: the object needs the subject ("Y is used by X", "X blocks Y"). `lasting`: the past tense says that it
    still holds ("adopted").
    """

    relation: str
    spelled: str
    aspect: str
    dependency: DependencyType | None = None
    reverse: bool = False
    lasting: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        # Compiled when it is first needed: all of them take half a second, and most commands read no sentence.
        return re.compile(LEAD + PRE + self.spelled, re.IGNORECASE)


def _about(relation: str, body: str, aspect: str, *, lasting: bool = False) -> Template:
    return Template(relation, rf"(?P<body>{body})", aspect, lasting=lasting)


def _link(
    relation: str,
    verb: str,
    dependency: DependencyType,
    aspect: str = "architecture",
    *,
    reverse: bool = False,
    lasting: bool = False,
) -> Template:
    # The last object must not be the subject of what follows: "A uses B and C uses D".
    objects = rf"(?P<obj>{NODE}(?:{AND}{NODE}(?!\s(?:{ADVERB})?\s?(?:{NEXT_VERB})\b))*)"
    body = rf"(?P<body>\s(?P<verb>{verb})(?P<mid>{IN_BETWEEN}\s){objects})"
    return Template(relation, body, aspect, dependency, reverse, lasting)


_FEW = r"(?:\s(?!(?:to|in|on|from|by|that|which|and|for)\b)[\w'\uf000-\uf8ff-]+){0,4}?"
_OWNER = (
    r"(?:owner|maintainer|lead|tech lead|team lead|product owner|point of contact|author|"
    r"main contact|dri|on-call owner|contact)"
)
_BY = r"(?:mainly |jointly |currently |now |solely |heavily |also |still )?"
D = DependencyType

LINKS: tuple[Template, ...] = (
    _link("uses", _verbs("use", "utilize", "utilise", "leverage", "employ"), D.USES),
    _link("uses", r"adopted|adopts", D.USES, lasting=True),
    _link(
        "runs_on",
        rf"(?:runs?|running|ran|sits|hosted|deployed|built|written|implemented|based|"
        rf"backed|powered|developed|coded|served){_FEW} "
        r"(?:on top of|on|in|with|by|under|onto|to|using|via|behind|atop)",
        D.USES,
        lasting=True,
    ),
    _link(
        "depends_on",
        _verbs("depend on", "depend upon", "rely on", "rely upon") + r"|dependent on|reliant on|coupled to",
        D.DEPENDS_ON,
    ),
    _link("requires", _verbs("require", "need"), D.REQUIRES),
    _link(
        "calls",
        _verbs("call", "invoke", "query", "talk to", "communicate with", "call into", "call out to")
        + r"|queries|queried|talks directly to|sits? in front of|makes? (?:\w+ ){0,2}(?:calls?|requests?) to|"
        r"(?:forwards|proxies|routes|sends|forward|send) "
        r"(?:\w+ )?(?:requests?|traffic|calls?|queries) to",
        D.CALLS,
    ),
    _link(
        "uses",
        _verbs("connect to", "integrate with", "authenticate against", "authenticate with", "delegate to"),
        D.USES,
    ),
    _link(
        "consumes",
        rf"consum(?:e|es|ed|ing){_FEW} (?:from|off)|consum(?:e|es|ed|ing)|(?:reads?|"
        rf"reading){_FEW} from|subscribe[sd]? to|subscribing to|"
        rf"(?:pulls?|fetch(?:es)?|gets?|receives?|loads?|ingests?){_FEW} from|listens? to|polls?",
        D.CONSUMES,
    ),
    _link(
        "writes_to",
        rf"(?:writes?|writing){_FEW} (?:to|into)|(?:stor(?:e|es|ed|ing)|persists?|"
        rf"saves?|keeps?|caches?|logs?|records?|backs up){_FEW} "
        rf"(?:in|into|on|to)|(?:sends?){_FEW} (?:via|through|using|with)|(?:handles?|manages?|"
        rf"processes){_FEW} (?:via|through|using|with)",
        D.USES,
    ),
    _link(
        "produces",
        rf"produc(?:e|es|ed|ing){_FEW} to|produc(?:e|es|ed|ing)|(?:publish(?:es|ing)?|"
        rf"emits?|sends?|pushes){_FEW} (?:to|into|on)|"
        r"emits?|publish(?:es)?|generates?",
        D.PRODUCES,
    ),
    _link("imports", _verbs("import"), D.IMPORTS),
    _link("inherits", r"inherits? from|extends?|subclass(?:es)?|derives? from|derived from", D.INHERITS),
    _link(
        "part_of",
        r"(?:(?:a )?(?:core |key )?(?:part|module|component|submodule|subsystem|piece) of|"
        r"belongs? to|lives? in|lives? inside|bundled with|"
        r"included in|contained in)",
        D.PART_OF,
        "architecture",
    ),
    _link("contains", r"consists? of|contains?|includes?|made up of|composed of|comprises?", D.PART_OF, reverse=True),
    _link("blocks", r"block(?:s|ing)?|(?:a )?blocker for", D.BLOCKS, "dependencies", reverse=True),
    _link("blocked_by", r"blocked (?:by|on)|waiting (?:on|for)", D.BLOCKS, "dependencies"),
    _link("informs", r"informs?|feeds?(?: data)?(?: into| to)?|notif(?:y|ies)", D.INFORMS, reverse=True),
    _link("informed_by", r"informed by|fed by|notified by", D.INFORMS),
    _link("used_by", rf"{_BY}(?:used|consumed|shared|adopted) {_BY}by", D.USES, reverse=True, lasting=True),
    _link(
        "required_by",
        r"(?:required|needed) by|a dependency of|a prerequisite (?:of|for)",
        D.REQUIRES,
        reverse=True,
        lasting=True,
    ),
    _link("called_by", r"(?:called|invoked|queried) by", D.CALLS, reverse=True, lasting=True),
    _link("imported_by", r"imported by", D.IMPORTS, reverse=True, lasting=True),
    _link(
        "owns",
        rf"owns?|maintains?|leads?|manages?|runs|oversees|(?:is )?responsible for|"
        rf"in charge of|takes? care of|took over|looks? after|"
        rf"(?:(?:the|a) )?(?:\w+ )?{_OWNER} (?:of|for|on)",
        D.OWNED_BY,
        "ownership",
        reverse=True,
        lasting=True,
    ),
    _link(
        "owned_by",
        rf"{_BY}(?:owned|maintained|led|managed|run|headed|developed|looked after|"
        rf"handled) {_BY}by",
        D.OWNED_BY,
        "ownership",
        lasting=True,
    ),
)

_CHANGED = (
    r"(?:moved|migrated|switched|transitioned|converted|ported|changed|upgraded|is moving|"
    r"is migrating|are migrating|migrating|moving|switching|migrate|move|switch|moves)"
)
MIGRATION = re.compile(
    LEAD + PRE + rf"(?P<body>\s(?P<verb>{_CHANGED})(?P<what>\s(?:{NODE}))?(?:\s[a-z]+){{0,4}}?"
    rf"(?: away)?(?: from (?P<old>{NODE}))?(?: over)?(?: in \w+)? (?:to|"
    rf"onto)(?: using)?{IN_BETWEEN}\s(?P<new>{NODE}))",
    re.IGNORECASE,
)
"""X moved from A to B; we migrated X from A to B."""
REPLACEMENT = re.compile(
    LEAD + PRE + rf"(?P<body>\s(?P<verb>(?:replac(?:ed|es|e|ing))|"
    rf"swapped)(?P<what>)\s(?P<old>{NODE})(?: in {NODE})? (?:with|by|for)"
    rf"{IN_BETWEEN}\s(?P<new>{NODE}))",
    re.IGNORECASE,
)
"""X replaced A with B."""
CHOICE = re.compile(
    LEAD + PRE + rf"(?P<body>\s(?P<verb>decided (?:to (?:use|adopt|go with|switch to|move to)|on|for)|"
    rf"chose(?: to use)?|picked|opted for|settled on|went with|"
    rf"selected|going with|go with|standardi[sz]ed on|agreed (?:on|to use)|chosen|committed to|"
    rf"adopted)(?P<mid>{IN_BETWEEN}\s)(?P<new>{NODE}(?:{AND}{NODE})*)"
    rf"(?: over (?P<over>{NODE}))?(?: (?:for|in|as)(?: the)?(?:\s[a-z-]+){{0,3}}?\s(?P<target>{NODE}))?)",
    re.IGNORECASE,
)
"""We chose Y (over Z) for X."""
HOLDING = re.compile(
    LEAD + PRE + rf"(?P<body>\s(?:has|have|had|with) an? (?P<slot>{SLOTS}) (?:of|at) (?P<value>[^;]+))", re.IGNORECASE
)
"""X has a port of 80."""

_STATUS = (
    "deprecated|archived|retired|sunset|decommissioned|unmaintained|frozen|paused|cancelled|canceled|"
    "open[- ]source|closed[- ]source|read-only|"
    "end[- ]of[- ]life|feature[- ]complete|complete|completed|finished|shipped|launched|live|blocked|"
    "on hold|in (?:production|beta|alpha|staging|"
    "maintenance mode|development|review|preview)|production[- ]ready|obsolete|legacy|stable|delayed|"
    "behind schedule|on track|abandoned|disabled|enabled"
)
_NUMBER = r"v?\d+(?:\.\d+)*[\w.+-]*"
_LIKED = (
    r"(?P<value>(?!(?:is|are|was|were|the (?:thought|way|idea|fact|feeling))\b|to(?! \w))"
    r"(?:(?!\b(?:it|that|this|you|them|him|to hear|when|how|your|seeing|hearing|the idea|those|these)\b)[^;])+)"
    r"(?!\b(?:it|them)\b)"
)

ABOUT: tuple[Template, ...] = (
    _about(
        "port",
        r"\s(?:(?:runs?|listens?|is|serves?|running|listening|exposed|available|binds?|"
        r"bound|uses?|exposes?|moved)\s)?"
        r"(?:traffic |http |requests )?(?:on |at |to )?(?:tcp |the )?port (?P<value>\d{2,5})\b",
        "configuration",
    ),
    _about(
        "version",
        rf"\s(?:(?:is|was|are|runs?|running|upgraded|updated|bumped|pinned|currently|now|"
        rf"moved)\s)*(?:at |on |to )?(?:(?:the )?version "
        rf"(?P<value>{_NUMBER})|(?P<value2>v\d+(?:\.\d+)*[\w.+-]*))",
        "configuration",
        lasting=True,
    ),
    _about("status", rf"\s(?P<value>{_STATUS})\b(?! (?:the|a|by|with|from|to [a-z]+ed|version|for))", "status"),
    _about(
        "due",
        r"\s(?:due|scheduled|planned|slated|set to (?:launch|ship|"
        r"release))\b(?: to \w+)? (?P<value>(?:on |by |for |in )?[^;,]+)",
        "status",
    ),
    _about("prefers", rf"\s(?:prefers?|preferred) {_LIKED}", "preferences", lasting=True),
    _about(
        "likes",
        rf"\s(?:really |absolutely )?(?:loves?|likes?|enjoys?|adores?|hates?|dislikes?|"
        rf"can't stand|(?:a )?(?:big |huge )?fan of|fond of) {_LIKED}",
        "preferences",
    ),
    _about(
        "lives_in",
        rf"\s(?:lives?|living|resides?|residing|based|located|relocated|moved|moving|"
        rf"settled)(?: away)?(?: from (?:the )?{M}(?:, {M})?)?(?: back| over| permanently)?"
        r"(?: last \w+| yesterday| recently)? (?:in|to|at|near|outside)"
        rf"\s(?:the\s)?(?P<obj>{M})",
        "location",
        lasting=True,
    ),
    _about(
        "from", rf"\s(?:from|grew up in|born in|originally from|comes? from)\s(?P<obj>{M})", "location", lasting=True
    ),
    _about(
        "works_at",
        rf"\s(?:(?:works?|working|worked|employed|joined|interning)(?: full-time| part-time| remotely)?"
        rf"(?: (?:at|for|by)(?: the)?)?|(?:(?<=is )|(?<='m ))an? [\w ]{{3,30}} (?:at|for|by)(?: the)?)"
        rf"\s(?P<obj>{M})(?! (?:office|branch|site|project)\b)",
        "work",
        lasting=True,
    ),
    _about(
        "works_at",
        r"\s(?:works?|working) (?:at|for) (?P<value>(?:a|an|the|my|our) (?!moment|time|"
        r"while|same|first|next|last|night)[^;,]+)",
        "work",
    ),
    _about(
        "works_as",
        r"\s(?:works?|working|hired|employed|promoted) (?:as|to) (?P<value>(?:an?|the|"
        r"our|senior|lead|head) [^;,]+)",
        "work",
        lasting=True,
    ),
    _about(
        "works_on",
        rf"\s(?:works?|working|focuses|focused) (?:mainly |mostly |"
        rf"primarily )?on\s(?:the\s)?(?P<obj>{NODE})",
        "work",
    ),
    _about(
        "allergic_to",
        r"\s(?:allergic to|intolerant (?:to|of)|(?:a )?(?:vegan|vegetarian|pescatarian|"
        r"celiac|coeliac|diabetic)\b)(?P<value>[^;,]*)",
        "preferences",
    ),
    _about("born", r"\sborn (?:on|in) (?P<value>[^;,]*\d[^;,]*)", "general", lasting=True),
    _about(
        "speaks",
        r"\s(?:speaks?|fluent in) (?P<value>(?:fluent |some |native )?(?:English|Spanish|"
        r"French|German|Italian|Portuguese|Russian|Chinese|Mandarin|"
        r"Japanese|Korean|Arabic|Hindi|Dutch|Swedish|Polish|Turkish|Ukrainian|Greek|Hebrew)\b[^;]*)",
        "general",
    ),
    _about(
        "studies",
        r"\s(?:studies|studied|studying|majored in|majoring in|graduated (?:from|in)|"
        r"enrolled (?:at|in)|learning) (?!how|to|about|that|a lot|a ton|more|so|with|from|as|by)"
        r"(?P<value>[^;,]+)",
        "general",
        lasting=True,
    ),
    _about(
        "married_to", rf"\s(?:married to|engaged to|dating|divorced from)\s(?P<obj>{M})", "relationships", lasting=True
    ),
    _about("reports_to", rf"\s(?:reports? to|managed by|mentored by|mentors|manages)\s(?P<obj>{M})", "relationships"),
    _about(
        "has",
        r"\s(?:has|have|owns?|adopted|got) (?P<value>(?:(?:a|an|one|two|three|four|five|"
        r"\d+) )(?:[\w-]+ ){0,2}?(?:dogs?|cats?|pets?|kids?|children|child|"
        r"sons?|daughters?|brothers?|sisters?|siblings?|puppy|puppies|kittens?|cars?|houses?|bikes?|"
        r"guitars?|pianos?|degree|phd|master's)\b[^;,]*)",
        "relationships",
        lasting=True,
    ),
    _about(
        "is_a",
        r"\s(?:(?:is|are|am)\s)?(?P<value>(?:an?|the|our|their|"
        + P
        + r") (?!mix|bit|lot|great|good|nice|little|pretty|really|real|very|huge|big|fan|"
        r"amazing|awesome|"
        r"wonderful|few|couple|same|only one|problem|issue|mess|nightmare|joy|pleasure|pain|best|"
        r"worst|one|way|thing|reason|blast|beautiful|lovely|such|"
        r"perfect|bad|better|must|sign|reminder|question|part of|true|total|super|fun|long|breeze|"
        r"no-brainer|game|next|first|last|main thing|fantastic|"
        r"incredible|cool|kind|key|deal|step|start|bug|mistake|chance|shame|tough|hard|difficult|"
        r"easy|special|important|powerful|testament|strong|source|"
        r"tricky|ton|bunch|huge|day|time|sort|type|right|wrong|most|more|treat|hit|success|dream|"
        r"challenge|priority|man|goat|owner|maintainer|lead|dependency|"
        r"blocker|prerequisite)\b[^;,]+)",
        "general",
    ),
)

EVENT = re.compile(LEAD + PRE + r"(?P<body>\s(?P<verb>[a-z]+)\b[^;]*)", re.IGNORECASE)
"""Somebody did something; kept as an event only where it is dated or one of `LASTING_EVENTS`."""
LASTING_EVENTS = word_set(
    """released launched deployed adopted graduated married joined hired bought retired acquired founded shipped
    deprecated opened won published sold moved started quit broke passed completed promoted divorced engaged
    born welcomed signed"""
)
CHORES = word_set(
    """pushed committed tested tried looked checked debugged restarted reran read said told asked thought felt knew
    saw wanted needed got had was were did made put let seemed used heard noticed realized realised wondered
    pinged mentioned talked spoke discussed worked been kept reminded meant forgot took gave helped loved
    liked enjoyed hoped"""
)


def compile_templates() -> None:
    """Compile all templates, so that no sentence waits for it."""
    for template in (*LINKS, *ABOUT):
        _ = template.pattern


def fits(relation: str, subject: Mention, others: Sequence[Mention]) -> tuple[tuple[str, EntityType], ...] | None:
    """What the relation shows its entities to be, or None where it does not fit them."""
    person = subject.type not in THINGS | {EntityType.PLACE}
    software = any(other.found == "software" or other.type in THINGS for other in others)
    as_person = ((subject.name, EntityType.PERSON),) if subject.found in ("name", "known") and person else ()
    if relation in ("port", "version", "status", "due"):
        fine = subject.type in THINGS | {EntityType.UNKNOWN} and not (
            relation == "port" and subject.type is EntityType.TOOL and not subject.role
        )
        return () if fine else None
    if relation == "is_a":
        if subject.type is EntityType.TOOL or subject.found == "pronoun" or subject.group:
            return None
        if any(other.possessive and not other.group and other.type is EntityType.PERSON for other in others):
            return None  # "is my favourite thing" is an opinion
        return () if subject.type is not EntityType.PLACE else None
    if not person or subject.group:
        return None
    if relation in ("lives_in", "from"):
        return None if software else (*as_person, *((other.name, EntityType.PLACE) for other in others))
    if relation == "works_at":
        systems = any(other.type in THINGS - {EntityType.TOOL} for other in others)
        return None if systems else (*as_person, *((other.name, EntityType.ORGANISATION) for other in others))
    if relation in ("married_to", "reports_to"):
        return None if software else (*as_person, *((other.name, EntityType.PERSON) for other in others))
    return as_person
