"""What can have one value at a time, and what can have many: the one table for all who ask.

Extraction takes from it the slots that facts fill, and the detector which other value contradicts. Verbs are stems
(`rules.contradiction.antonyms`); what stands in none of the lists contradicts by a number, a name or an explicit slot
alone."""

from graphmem.rules.contradiction.antonyms import verb_keys
from graphmem.rules.language.stems import entries, stems

_RELATIONS = {
    relation: (slot, verbs)
    for relation, slot, verbs in (
        (part.strip() for part in entry.split("="))
        for entry in entries(
            """lives_in = lives_in = live in, live at; works_at = works_at = work at; works_as = job_title = work as;
            married_to = partner = marry to, engage to, date; reports_to = reports_to = report to;
            status = status = ; port = port = ; version = version = ; born = birthday = ; due = deadline = when date;
            located_in = = locate in; hosted_on = = host on; written_in = = write in; built_with = = build with;
            stored_in = = store in; owned = = own by; managed = = manage by; led = = lead by;
            maintained = = maintain by;
            named = = name; defaults_to = = default to; limited_to = = limit to; expires = = expire on, expire in;
            studies_at = = study at; majors_in = = major in; from = = be from; scheduled = = when weekday, when clock;
            sleeps = = sleep at; wakes = = wake at"""
        )
    )
}
"""Each relation with the slot that facts of it fill, if extraction knows one, and the verbs that tell it."""
SINGLE_VALUED = {relation: slot for relation, (slot, _) in _RELATIONS.items() if slot}
"""Relations that extraction knows, and the slot they fill. Slots and roles fill one of their own name; owners the one
named in `slots.OWNER_SLOTS`."""
SINGLE = frozenset(verb_keys(", ".join(verbs for _, verbs in _RELATIONS.values() if verbs)))
"""Verbs with one value at a time: another value contradicts. All others need a number, a name or a slot."""
ANY_VALUE = stems(  # "X is Y": subjects with one value of any kind
    "favorite preferred default primary status state phase stage priority color mode role title deadline"
)
NAMED_VALUE = stems(  # the same, but only a name is such a value ("the database is slow" is none)
    """job database port owner name codename nickname surname email address language framework region timezone ceo
    cto manager lead maintainer url host birthday hometown capital employer vendor provider backend frontend theme
    editor license phone laptop doctor dentist vet therapist landlord supervisor"""
)
MANY = stems(
    """belong rely depend donate subscribe speak talk integrate work support handle contain accept allow offer play
    review sort write call come mention send contribute interest participate take listen test respond interact
    compatible available skill good fluent afraid allergic member fond experience involve one friend serve connect
    translate export import ship deliver travel invest believe compete cooperate partner visit appear know teach
    post push upload sync forward reply apply cater appeal sing dance perform collaborate
    share hang meet affect fix break add remove solve mention cause hit concern use treat need recommend see require
    like love cite sponsor help join visit read"""
)
"""Words of which the other end can be many, unless `MANY_BUT` has them with their preposition."""
MANY_BUT = {
    ("meet", "at"),
    ("meet", "in"),
    ("meet", "on"),
    ("play", "at"),
    ("play", "for"),
    ("ship", "with"),
    ("take", ""),
    ("take", "at"),
    ("teach", "at"),
    ("work", "as"),
    ("work", "at"),
    ("work", "for"),
    ("work", "from"),
    ("writ", "in"),
    ("write", "in"),
}
PLACED = stems(
    """live reside dwell sit stay sleep lodge board camp meet rehearse gather convene train park dock land depart
    arrive leave
    start end begin bind listen point resolve route redirect default map report run deploy stand hang lie store keep
    save hold operate work study major enroll commute go pay authenticate build compile expire rotate put track file
    archive log print publish host ship serve open close travel rent rank rely depend write play teach"""
)
"""Verbs of which the place, the way or the means is one at a time; of others it can be many."""
DONE = stems(
    """base locate employ own manage lead sign process power collect pay bill look assign guard clean insure back fund
    finance handle maintain chair head organize organise deliver carry water paint wrap sell"""
)
"""The same of what is done by, in or with something."""
HOLDERS = stems("head lead chair captain manage run own maintain direct coordinate oversee supervise edit host")
"""What only one does for a group: another one who does it takes over."""
KIN = stems(
    """sister brother sibling uncle aunt cousin nephew niece son daughter child grandson granddaughter grandchild
    grandmother grandfather grandparent parent friend colleague neighbour neighbor teammate classmate roommate flatmate
    godson goddaughter pupil student client customer"""
)
"""Of these somebody can have many; another one contradicts nothing."""
KIN_NAMES = (
    "sister brother sibling uncle aunt cousin nephew niece son daughter child children grandson granddaughter "
    "grandmother grandfather grandma grandpa mother father mum mom dad parents "
    "wife husband girlfriend boyfriend partner "
    "twin twins baby boss colleague neighbour neighbor friend roommate flatmate dog cat puppy kitten horse team company"
)
VALUED = (
    stems(
        """type size dish colour color number address target model format level rank grade mascot motto slogan currency
    meal drink song film book food sport surname nickname birthday supervisor boss mentor password username hostname
    domain branch channel colour interval unit encoding engine day date month"""
    )
    | ANY_VALUE
)
"""Nouns for what a thing has one of, whatever the value looks like."""
