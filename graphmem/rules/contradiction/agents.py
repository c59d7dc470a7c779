"""Who does what for what: one relation, told by a verb, a passive or a noun.

"Emanuele teaches the Thursday class", "the Thursday class is taught by Emanuele", "Emanuele is the teacher of the
Thursday class", "the Thursday class has Emanuele as its teacher". `rules.contradiction.states` reads each of them as
the same state."""

import re
from dataclasses import dataclass
from functools import cached_property

from graphmem.rules.language.stems import entries


@dataclass(frozen=True)
class Telling:
    """Words that tell a relation. What begins or changes it ends what was before; `marks`: one of these is in them."""

    relation: str
    changed: bool
    marks: tuple[str, ...]
    words: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Matches all the words of a text. There are 1,000 of them, of which most are never asked for: compiling each
        took a tenth of a second from every start."""
        return re.compile(rf"^{self.words}$")


def telling(relation: str, marks: str, words: str, *, changed: bool = False) -> Telling:
    return Telling(relation, changed, tuple(marks.split(";")), words)


_FAMILIES = entries(
    """head = head|leader|lead|boss|chief = leads|heads|heads up|runs|is in charge of = led|headed|headed up|run;
    owner = owner|proprietor|proprietress = owns = owned;
    chair = chair|chairman|chairwoman|chairperson|president = chairs|presides over = chaired;
    teacher = teacher|instructor|class teacher|form teacher = teaches|gives|instructs|takes = taught|given;
    coach = coach|trainer = coaches|trains = coached|trained;
    mentor = mentor = mentors = mentored;
    editor = editor = edits = edited;
    coordinator = coordinator|organiser|organizer = coordinates|organises|organizes = coordinated|organised|organized;
    maintainer = maintainer|caretaker|janitor = maintains|looks after|takes care of|tends
    = maintained|looked after|taken care of|tended;
    supervisor = supervisor|line manager|superior = supervises = supervised;
    captain = captain|skipper = captains|skippers = captained|skippered;
    conductor = conductor = conducts = conducted;
    supplier = supplier|vendor = supplies|delivers = supplied|delivered;
    registrar = registrar = registers = registered;
    landlord = landlord|landlady = lets|rents out = let|rented out;
    doctor = doctor|physician|gp|family doctor = treats = treated|seen;
    dentist = dentist = looks after the teeth of = seen about the teeth;
    principal = headteacher|headmaster|headmistress|principal = heads = headed;
    executor = executor|executrix = executes = executed;
    treasurer = treasurer = keeps the accounts of = kept;
    charge = person in charge|person responsible|contact|contact person|point of contact|responsibility of|job of
    = is in charge of|runs|is responsible for|handles|deals with|sees to|takes charge of|has charge of
    |is accountable for
    |answers for|covers = handled|dealt with|covered|run|done|carried out|performed|made;
    walker = walker = walks = walked;
    driver = driver = drives = driven;
    goalkeeper = goalkeeper|goalie = keeps goal for = kept"""
)
_OFFICES = {
    "head": "leadership|lead|direction|headship",
    "owner": "ownership",
    "chair": "chair|chairmanship|presidency",
    "teacher": "teaching",
    "coach": "coaching|training",
    "mentor": "mentoring|mentorship",
    "editor": "editorship|editing",
    "coordinator": "coordination|organisation|organization",
    "maintainer": "maintenance|upkeep|care",
    "supervisor": "supervision",
    "captain": "captaincy",
    "supplier": "supply",
    "doctor": "treatment",
    "charge": "responsibility|charge",
}
"""By relation, the nouns for what is handed on from one to another."""
_NEW = r"(?:(?:new|current|present|main|acting|interim|chief|sole|official|regular|primary|only) )*"
_IS = r"(?:is|are|has been|have been) (?:now )?"
_BECAME = (
    r"(?:became|becomes|has become|acts as|acted as|serves as|works as|was (?:named|elected|appointed|made"
    r"|chosen(?: as)?)"
    r"|has been (?:named|elected|appointed|made|chosen(?: as)?)|took over as|has taken over as|steps in as|started as"
    r"|has started as|is the one who acts as)"
)
_WHICH = r"(?P<o>(?:(?!of |for |the |at |is )[\w-]+ ){0,2}?)"
"""Which of several: the goalkeeper coach."""
_THE = r"(?:the |our |its |their |an? )?"


def _handed(name: str) -> list[Telling]:
    """What is handed on from one to another by its noun: the leadership of the team."""
    if name not in _OFFICES:
        return []
    marks, office = _OFFICES[name].replace("|", ";"), rf"(?:the )?(?:{_OFFICES[name]}) (?:of|for)"
    return [
        telling(
            name,
            marks,
            rf"{office} (?P<s>.+?) (?:has |have |was |is )?(?:been )?(?:passed|went|goes|gone|moved|handed|given"
            rf"|transferred"
            r"|fallen|fell|passes)(?: on| over| down)?(?: from .+?)? to (?P<v>.+)",
            changed=True,
        ),
        telling(
            name,
            marks,
            rf"(?P<v>.+?) (?:has |have )?(?:took|taken|takes|assumed|inherited)(?: over| on| up)? {office} (?P<s>.+?)"
            r"(?: from .+)?",
            changed=True,
        ),
        telling(name, marks, rf"{office} (?P<s>.+?) (?:lies|rests|is) with (?P<v>.+)"),
    ]


def _family(entry: str) -> list[Telling]:
    relation, nouns, verbs, done = ([" ".join(one.split()) for one in part.split("|")] for part in entry.split(" = "))
    name = relation[0]
    noun, verb, passive = (rf"(?:{'|'.join(group)})" for group in (nouns, verbs, done))
    of = r"(?:of|for|at|behind|to|in)"
    by_noun, by_verb = ";".join(max(one.split(), key=len) for one in nouns), ";".join(verbs)
    by_done = ";".join(done)
    return [
        *_handed(name),
        telling(name, by_noun, rf"{_THE}{_NEW}{_WHICH}{noun} {of} (?P<s>.+?) {_IS}(?P<v>.+)"),
        telling(name, by_noun, rf"(?P<s>.+?)'s? {_NEW}{_WHICH}{noun} {_IS}(?P<v>.+)"),
        telling(name, by_noun, rf"(?P<v>.+?) {_IS}(?:the |our |its |their ){_NEW}{_WHICH}{noun} {of} (?P<s>.+)"),
        telling(name, by_noun, rf"(?P<v>.+?) {_IS}{noun} {of} (?P<s>.+)"),
        telling(name, by_noun, rf"(?P<v>.+?) {_BECAME} {_THE}{_NEW}{noun} {of} (?P<s>.+)", changed=True),
        telling(name, by_noun, rf"(?P<v>.+?) {_BECAME} (?P<s>.+?)'s? {_NEW}{noun}", changed=True),
        telling(name, by_noun, rf"(?P<v>.+?) {_IS}(?P<s>[^,]+?)'s? {_NEW}{noun}"),
        telling(
            name,
            by_noun,
            rf"(?P<s>.+?) (?:has|have|got|gets|employs|employ|names|lists|keeps|engages|uses|appointed"
            rf"|hired) (?P<v>.+?) as {_THE}{_NEW}{_WHICH}{noun}",
        ),
        telling(
            name,
            by_noun,
            rf"(?P<s>.+?) (?:goes to|sees|went over to|has gone over to|(?:has )?(?:changed"
            rf"|switched) to) (?P<v>.+?) as {_THE}"
            rf"(?:his |her )?{_NEW}{noun}",
        ),
        telling(name, by_noun, rf"(?P<s>.+?) (?:has|have|got|gets) a new {noun},? (?P<v>.+)", changed=True),
        telling(
            name,
            by_noun,
            rf"(?P<s>.+?) (?:elected|appointed|chose|named|hired|picked) (?P<v>.+?) as {_THE}{_NEW}{_WHICH}{noun}",
            changed=True,
        ),
        telling(
            name,
            "elected;appointed;chose;named;hired;picked;voted",
            rf"(?:.+? )?(?:elected|appointed|chose|named|hired|picked|voted) (?P<v>[\w' -]+?) (?:as |to be )?"
            rf"(?:the |our |its |their ){_NEW}{noun} {of} (?P<s>.+)",
            changed=True,
        ),
        telling(
            name,
            by_verb,
            rf"(?P<v>.+?) is the (?:one|person|man|woman|colleague|company) (?:who|that|which) {verb} (?P<s>.+)",
        ),
        telling(name, by_verb, rf"(?P<v>[^ ]+(?: [^ ]+){{0,3}}?) {verb} (?P<s>(?:the |our |its |\w+'s ).+|[^ ]+)"),
        telling(name, "in the hands of;in the charge of", r"(?P<s>.+?) is in the (?:hands|charge) of (?P<v>.+)"),
        telling(
            name,
            by_done,
            rf"(?P<s>.+?) (?:is|are|has been|have been|gets|get) (?:now |being |currently )*{passive} (?:by|with"
            rf"|through) (?P<v>.+)",
        ),
    ]


AGENTS = tuple(one for entry in _FAMILIES for one in _family(entry))
BY_AGENT = frozenset(entry.split(" = ")[0] for entry in _FAMILIES)
"""The relations."""
