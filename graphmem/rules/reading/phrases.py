"""The pieces that the templates are made of: subjects, what may stand before a verb, and what after it.

Templates are read over a masked sentence, in which every mention is one character (see `clauses.py`).
"""

M = "[\ue000-\uefff]"
"""One mention, in a masked sentence."""
P = "[\uf000-\uf0ff]"
"""One possessive: my, our, its."""

DETERMINER = rf"(?:the|a|an|our|its|their|his|her|your|my|this|that|both|some|{P})\s"
_TYPE_WORD = (
    r"(?:\s(?:clusters?|databases?|db|servers?|instances?|broker|cache|topics?|queues?|buckets?|files?|"
    r"modules?|packages?|librar(?:y|ies)|"
    r"tables?|repo(?:sitory)?|api|service|project|container|functions?|class|backend|client|sdk|"
    r"v?\d[\w.]*|version \d[\w.]*))?"
)
NODE = rf"(?:{DETERMINER})?{M}{_TYPE_WORD}"
AND = r"(?:, and |, | and | & | as well as | plus | along with | together with )"
SUBJECTS = rf"{NODE}(?:{AND}{NODE})*"
_ASIDE = rf"(?: \([^()]{{1,60}}\))?(?: (?:from|on|at) (?:the |our )?{M})?(?:, (?:a|an|the|our|{P}) [^,]{{3,50}},)?"

ADVERB = (
    "also|now|currently|still|already|only|directly|just|actually|really|primarily|heavily|both|"
    "recently|finally|internally|mostly|"
    "usually|mainly|then|all|always|officially|permanently|completely|fully|partly|strongly|entirely|"
    "generally|typically|"
    "therefore|instead|each|even|successfully|originally|normally|exclusively|solely|absolutely|"
    "definitely|personally|much|"
    "often|regularly|happily|temporarily|today|basically|proudly"
)
NEGATIVE = (
    "not|doesn't|don't|didn't|isn't|aren't|wasn't|won't|never|no longer|cannot|can't|stopped|hasn't|"
    "haven't|shouldn't|wouldn't|quit|hardly|"
    "ain't|stop|stops"
)
PLANNED = (
    "will|'ll|going to|gonna|plans? to|planning to|planned to|plans? on|wants? to|wanted to|would|'d|"
    "should|could|might|may|can|must|shall|"
    "intends? to|hopes? to|hoping to|about to|needs? to|needed to|have to|has to|had to|tries to|"
    "trying to|considering|"
    "thinking of|thinking about|supposed to|able to|used to|previously|formerly|had|like to|love to|"
    "likely to|scheduled to|expects? to"
)
CHOSEN = "chose to|decided to|agreed to|opted to|choose to"
_AUXILIARY = (
    f"is|are|was|were|be|been|being|has|have|do|does|did|get|got|getting|started|began|continues to|"
    f"continued to|happens to|"
    f"ended up|{CHOSEN}"
)
PRE = rf"(?P<pre>(?:\s(?:{ADVERB}|{NEGATIVE}|{PLANNED}|{_AUXILIARY})\b|'(?:s|re|m|ve|ll|d)\b)*)"
LEAD = (
    rf"(?:(?P<subj>{SUBJECTS}){_ASIDE}(?P<rel>,? (?:which|that|who)\b)?|(?:,? and|,? but|,? then|;|"
    rf",)(?P<carried>)(?=\s))"
)

IN_BETWEEN = (
    r"(?:\s(?!(?:of|for|with|by|to|in|on|at|from|as|and|or|but|not|no|than|that|which|who|when|if|"
    r"because|into|via|through|nothing|instead|"
    r"neither|any|like|it|them|him|her|me|us|everything|something|how|what|where|about|more|less|"
    r"whether|while)\b)[\w'+/\uf000-\uf8ff-]+){0,3}?"
    r"(?:\s(?:version|instance|cluster|mix|combination|fork|copy|set|lot|bit) of(?:\s(?:a|an|the|our))?)?"
)


NEXT_VERB = (
    "uses?|depends?|requires?|needs?|calls?|runs?|talks?|reads?|writes?|stores?|owns?|is|are|was|will|"
    "has|have|does|doesn't|blocks?|"
    "imports?|listens?|publish(?:es)?|consumes?|maintains?|leads?|must|should|can|connects?|relies|"
    "rely|works?|lives?|moved|migrated|"
    "switched|handles?|sends?|subscribes?|prefers?|likes?|loves?|produces?|emits?|extends?|inherits?"
)

SLOTS = (
    "default branch|main branch|port|version|owner|maintainer|tech lead|team lead|lead|deadline|due "
    "date|release date|launch date|status|region|timeout|"
    "rate limit|retry limit|retry count|budget|base url|url|endpoint|license|licence|email|phone "
    "number|birthday|anniversary|address|"
    "hometown|favou?rite [a-z]+(?: [a-z]+)?|primary language|sla|slo|code name|codename|schedule|"
    "retention(?: period)?|memory limit|cpu limit|"
    "replica count|log level|time ?zone|nickname|middle name|job title|title|role|(?:max(?:imum)?|"
    "min(?:imum)?) [a-z]+(?: [a-z]+)?|"
    "batch size|pool size|page size|release cycle|root cause|on-call|goal"
)
"""Names of slots: what an entity has one of at a time."""
ROLES = (
    "database|datastore|data store|db|data warehouse|warehouse|cache|caching layer|message broker|"
    "broker|message queue|queue|event bus|ci system|ci|"
    "cloud provider|cloud|hosting provider|editor|ide|search engine|vector store|language|web "
    "framework|framework|orchestrator|"
    "identity provider|auth provider|package manager|build tool|test runner|linter|formatter|"
    "monitoring (?:tool|system|stack)|issue tracker|"
    "payment provider|email provider|orm|web server|load balancer|reverse proxy|api gateway|feature "
    "flag system|cdn|code host|test framework|"
    "task queue|job queue|secret store|object store|storage backend|terminal|shell|operating system|browser"
)
"""Roles that a technology plays, each a slot too."""
