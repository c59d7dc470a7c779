"""Slots: what an entity has one of at a time, such as a port, an owner, a primary database or a manager."""

import re

from graphmem.rules.phrases import LEAD, NODE, PRE, M, P

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
ROLE_NAMES = {
    "database": "primary database",
    "datastore": "primary database",
    "data store": "primary database",
    "db": "primary database",
    "caching layer": "cache",
    "caching": "cache",
    "broker": "message broker",
    "message queue": "message broker",
    "queue": "message broker",
    "event bus": "message broker",
    "ci": "CI system",
    "ci system": "CI system",
    "cloud": "cloud provider",
    "hosting provider": "cloud provider",
    "ide": "editor",
    "framework": "web framework",
    "data warehouse": "warehouse",
    "job queue": "task queue",
    "test runner": "test framework",
    "auth provider": "identity provider",
    "messaging": "message broker",
    "event streaming": "message broker",
}
IN_OR_FOR = re.compile(rf" (?:in|for) (?P<target>{NODE})")
"""Where a change was made: "replaced A with B in X"."""
AS_ROLE = re.compile(
    rf"\s(?:as|for)\s(?:(?:the|a|an|our|its|their|my|{P})\s)?(?:(?:primary|main|default|new|only|sole|"
    rf"production)\s)*"
    rf"(?P<role>{ROLES}|caching|messaging|event streaming)\b(?! \w*(?:data|logs|requests))",
    re.IGNORECASE,
)
_VALUE = r"(?P<value>[^;]+)"
_SLOT_IS = (
    r"(?: is now| is| are| was| will be| has been| was set to| is set to|:| =|"
    r"'s)(?: now)?(?: changed to| moved to| set to| pushed to| bumped to| postponed to|"
    r" raised to)?"
)
SLOT_OF = re.compile(
    rf"\b(?P<slot>{SLOTS}) (?:of|for|on|in|behind) (?P<subj>{NODE})(?: (?:outage|incident|failure|"
    rf"crash|downtime|error|issue|bug|problem))?(?P<body>{_SLOT_IS}(?: not)? {_VALUE})",
    re.IGNORECASE,
)
SLOT_AFTER = re.compile(
    rf"(?:(?P<subj>{M})(?:'s?)?|(?P<own>{P})) (?P<slot>{SLOTS})(?P<body>{_SLOT_IS}(?: not)? {_VALUE})", re.IGNORECASE
)
SLOT_ALONE = re.compile(
    rf"^(?:the |our )?(?P<slot>default branch|main branch|release date|deadline|"
    rf"launch date)(?P<body>{_SLOT_IS} {_VALUE})",
    re.IGNORECASE,
)
SLOT_WITH = re.compile(
    LEAD + PRE + rf"(?P<body>\s(?:has|have|had|with) an? (?P<slot>{SLOTS}) (?:of|at) {_VALUE})", re.IGNORECASE
)
ROLE_IS = re.compile(
    rf"(?:(?P<subj>{M})(?:'s?)?|(?P<own>{P})) (?:(?:primary|main|default|"
    rf"production)\s)*(?P<role>{ROLES})(?P<body> (?:is|was|runs on)(?: now)? (?P<obj>{NODE}))",
    re.IGNORECASE,
)
KIN = (
    "sister|brother|mother|father|mom|mum|dad|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|"
    "son|daughter|cousin|aunt|uncle|grandmother|grandfather|"
    "grandma|grandpa|niece|nephew|boss|manager|colleague|coworker|roommate|best friend|friend|"
    "neighbou?r|dog|cat|puppy|kitten|mentor|therapist"
)
KIN_NAMED = re.compile(
    rf"(?:(?P<subj>{M})'s|(?P<own>{P})) (?:older |younger |little |big |new |"
    rf"twin )?(?P<kin>{KIN}),? ?(?:is |named |called |'s name is |is named |"
    rf"is called )?(?P<obj>{M})",
    re.IGNORECASE,
)
KIN_CALLED = re.compile(
    rf"(?P<obj>{M}) is (?:(?P<subj>{M})'s|(?P<own>{P})) (?:older |younger |little |big |new |"
    rf"twin )?(?P<kin>{KIN})\b",
    re.IGNORECASE,
)
KIN_DOES = re.compile(
    rf"(?:(?P<subj>{M})'s|(?P<own>{P})) (?:older |younger |little |big |"
    rf"twin )?(?P<kin>{KIN})(?P<body> (?:lives|works|moved|is an?|plays|studies|"
    rf"teaches|loves|prefers|owns|has (?:a|an|two|three)) [^;,]+)",
    re.IGNORECASE,
)

SINGLE_VALUED = {
    "lives_in": "lives_in",
    "works_at": "works_at",
    "works_as": "job_title",
    "port": "port",
    "version": "version",
    "status": "status",
    "due": "deadline",
    "born": "birthday",
    "married_to": "partner",
    "reports_to": "reports_to",
}
"""Relations of which an entity has one at a time, and the slot they fill. Slots and roles fill one of their own name;
owners the one named in `OWNER_SLOTS`."""
OWNER_SLOTS = {
    "owned": "owned_by",
    "maintained": "maintained_by",
    "led": "led_by",
    "managed": "managed_by",
    "overseen": "overseen_by",
}
SLOT_KEYS = {
    "owner": "owned_by",
    "maintainer": "maintained_by",
    "lead": "led_by",
    "tech lead": "led_by",
    "team lead": "led_by",
    "due date": "deadline",
    "main branch": "default_branch",
    "licence": "license",
    "title": "job_title",
}
SINGLE_KIN = {
    "wife": "partner",
    "husband": "partner",
    "partner": "partner",
    "girlfriend": "partner",
    "boyfriend": "partner",
    "fiance": "partner",
    "fiancé": "partner",
    "fiancée": "partner",
    "fiancee": "partner",
    "boss": "manager",
    "manager": "manager",
    "mother": "mother",
    "father": "father",
    "mom": "mother",
    "mum": "mother",
    "dad": "father",
}
