"""What each verb says about need: with its object, and with each preposition that leads to another thing."""

from graphmem.model.knowledge import DependencyType
from graphmem.rules.language.stems import word_set
from graphmem.rules.language.verbs import verb_forms

D = DependencyType
PREPOSITIONS = {
    word: word
    for word in word_set("on in with by via through to into from at over under behind without inside for about")
} | {
    "using": "with",
    "off": "from",
    "onto": "on",
    "upon": "on",
    "within": "in",
    "atop": "on",
    "against": "to",
    "towards": "to",
    "out": "from",
    "until": "until",
}
"""Prepositions, and the one that each counts as."""
MEANS = word_set("via through with over on inside behind")
"""Prepositions that lead to a means, whatever the verb."""
_PLACED = word_set(
    """be run sit live deploy host build rewrite write base implement store keep hold put sell package ship serve proxy
    archive cache index back persist save stay page track manage track log save compile operate work authenticate train
    render test monitor publish maintain bundle front power wrap"""
)
_TAKING = word_set(
    "consume read get fetch pull load poll take receive "
    "import ingest sync come draw copy collect inherit originate stem"
)
_SENDING = word_set(
    "write send push forward replicate ship connect go export upload log report sync "
    "talk post submit back migrate move switch port convert change upgrade stream flow"
)
_HANDING = word_set("hand pass feed deliver")
_FRAMES: dict[tuple[str, str], tuple[DependencyType, bool]] = {
    **{
        (verb, on): (D.USES, False)
        for verb in _PLACED
        for on in ("on", "in", "with", "behind", "at", "via", "through", "inside", "under", "over")
    },
    **{
        (verb, via): (D.USES, False)
        for verb in word_set("go run flow pass send route handle authenticate happen reach communicate")
        for via in ("through", "via", "over")
    },
    **{(verb, "from"): (D.CONSUMES, False) for verb in _TAKING},
    **{(verb, "to"): (D.USES, False) for verb in _SENDING},
    **{(verb, "into"): (D.USES, False) for verb in set(_SENDING) - {"move", "change"}},
    **{(verb, to): (D.CONSUMES, True) for verb in _HANDING for to in ("to", "into")},
    **{
        (verb, ""): (D.USES, False)
        for verb in word_set(
            "use adopt leverage wrap embed utilize utilise employ choose pick select drive target bundle"
        )
    },
    **{(verb, ""): (D.REQUIRES, False) for verb in word_set("require need expect")},
    **{(verb, on): (D.DEPENDS_ON, False) for verb in word_set("depend rely hinge count build") for on in ("on",)},
    **{(verb, ""): (D.CALLS, False) for verb in word_set("call query invoke hit ping")},
    **{(verb, to): (D.CALLS, False) for verb in word_set("talk speak call") for to in ("to",)},
    **{(verb, to): (D.PRODUCES, False) for verb in word_set("publish emit produce") for to in ("to", "into", "on")},
    **{(verb, ""): (D.PRODUCES, False) for verb in word_set("publish emit produce generate")},
    **{(verb, ""): (D.CONSUMES, False) for verb in word_set("consume poll read ingest")},
    **{(verb, ""): (D.INHERITS, False) for verb in word_set("extend subclass")},
    **{(verb, to): (D.CONSUMES, False) for verb in word_set("subscribe listen") for to in ("to", "on")},
    **{(verb, on): (D.BLOCKS, False) for verb in ("wait",) for on in ("on", "for")},
    **{(verb, "on"): (D.USES, False) for verb in word_set("settle standardize standardise decide agree")},
    **{(verb, "with"): (D.USES, False) for verb in word_set("go replace integrate start")},
    **{(verb, "to"): (D.CALLS, False) for verb in word_set("route proxy delegate dispatch")},
    ("opt", "for"): (D.USES, False),
    ("run", ""): (D.USES, False),
    ("import", ""): (D.IMPORTS, False),
    ("inherit", "from"): (D.INHERITS, False),
    ("derive", "from"): (D.INHERITS, False),
    ("block", ""): (D.BLOCKS, True),
    ("feed", ""): (D.INFORMS, True),
    ("notify", ""): (D.INFORMS, True),
    ("inform", ""): (D.INFORMS, True),
    ("belong", "to"): (D.PART_OF, False),
    ("contain", ""): (D.PART_OF, True),
    ("include", ""): (D.PART_OF, True),
    ("be part of", ""): (D.PART_OF, False),
    ("be bundled", "with"): (D.PART_OF, False),
}
FRAMES = _FRAMES
"""By verb and preposition, "" for its object: the type of the need, and whether the object has it."""
AGENTS: dict[str, tuple[DependencyType, bool]] = {
    **dict.fromkeys(word_set("use share adopt"), (D.USES, True)),
    **dict.fromkeys(word_set("consume read poll"), (D.CONSUMES, True)),
    **dict.fromkeys(word_set("call invoke query"), (D.CALLS, True)),
    **dict.fromkeys(word_set("require need"), (D.REQUIRES, True)),
    "import": (D.IMPORTS, True),
    "block": (D.BLOCKS, False),
    "feed": (D.INFORMS, False),
    "notify": (D.INFORMS, False),
    "own": (D.OWNED_BY, False),
    "maintain": (D.OWNED_BY, False),
}
"""Behind "by" of a passive."""
OWNING = word_set("own maintain lead manage run oversee head operate develop handle")
"""Verbs by which somebody has a thing in hand."""
HANDED = word_set("belong go hand pass transfer move give")
"""With "to" somebody: who owns it now."""
CHANGES = word_set(
    """move switch migrate port replace convert rewrite adopt choose pick select settle opt decide hand transfer give
    build write implement base standardize standardise upgrade change take go compile agree put back"""
)
"""Verbs whose past tells what holds since."""
DOES = word_set(
    "hold store serve host front proxy power run execute build "
    "deploy handle do render index cache route keep manage sign execute"
)
"""What tools do for a thing."""
STARTS = word_set("start work run boot begin function operate do come build load deploy render compile go")
"""With "can't … without": what needs something to go on."""
UNTIL = word_set("until unless before till")
PHRASES = {
    "look after": "own",
    "looks after": "own",
    "take over": "own",
    "take care of": "own",
    "take charge of": "own",
    "be responsible for": "own",
    "be in charge of": "own",
    "be part of": "be part of",
    "be bundled": "be bundled",
    "call out": "call",
    "call into": "call",
}
"""Verbs of several words, and the verb that they are read as."""
CODE_PLACES = word_set("repo repository monorepo package module folder directory library codebase crate")
CONFIGURATION = word_set(
    "config configuration settings secrets secret credentials certs "
    "certificates certificate keys tokens flags templates images"
)
"""What is read once rather than consumed."""
GENERIC = word_set(
    """everything all rest most data code tests test app stuff things production staging work plan idea version release
    team people users customers one ones both money budget date meeting time thing part way rest problem issue cause
    reason outage incident update fix change call notes answer question build"""
)
"""Nouns that name no thing of their own."""
OUTPUTS = word_set("output outputs events messages results data logs metrics batches records")
"""What a thing gives to others: where it goes, they need it."""
VERBS = verb_forms(
    {verb for verb, _ in _FRAMES if " " not in verb}
    | set(AGENTS)
    | OWNING
    | HANDED
    | CHANGES
    | DOES
    | {"look", "wait", "inherit"}
)
