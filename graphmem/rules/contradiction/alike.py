"""Words that stand for the same, and words of one kind that exclude each other, for statements compared without order.

`rules.contradiction.antonyms` lists opposites and `rules.contradiction.single_valued` verbs; here are the ways of
saying one thing by a noun or by another verb, and kinds of which a thing has one at a time: a colour, a state of
repair, a means of transport."""

import re
from collections.abc import Iterable

from graphmem.rules.language.stems import entries, stem, stems

GROUPS = entries(
    """cost price priced charge fee; work employ job employment employer; own owner belong ownership; store keep save
    archive retain retention storage; leave depart departure; mother mum mom mommy mummy; father dad daddy; database db
    datastore; boss supervisor; repo repository; minimum min; wedding marry marriage; commute travel trip; kid child
    children; lease rent tenant let; height tall; length long; duty shift; close shut shutdown; supply supplier; attend
    attendance participate participation; subscribe subscription; purchase buy acquire acquisition; large big; allergy
    allergic; tap faucet; glasses spectacles; deadline cutoff; migrate migration; remove removal; answer reply respond;
    cellar basement; birth born"""
)
"""Words that say the same, the one that stands for all first; no word stands in two groups that differ."""
SAME = {stem(word): stem(group.split()[0]) for group in GROUPS for word in group.split()}
"""By stem, the one that stands for all that say the same."""
LIGHT = frozenset(
    stems(
        """be have do go take make get give come set plan schedule due book slate remain stay become run wear serve
        stand lie sit read use carry call name say mean amount total equal so far there way thing place located
        location situate base site happen occur number up down out new current official actual whole time meanwhile
        hold keep lower consist its their his her our s off current still eat send publish issue appear made yesterday
        today tonight let fine normal normally practically completely totally entirely perfectly absolutely quite
        pretty highly paint upholster coat ride commute"""
    )
) | {"be", "hav"}
"""Verbs and nouns that say only that there is something."""
MOVERS = stems(
    """move switch change raise lower increase decrease reduce cut extend shorten reschedule postpone delay bring push
    shift double halve triple upgrade downgrade bump adjust update drop rise fall grow climb transfer relocate migrate
    go return revert convert transition swap turn back over forward correct rewrite rewritten rebuild rebuilt
    reassign"""
)
"""Verbs that say that a value is another one than before."""

_SPANS = {
    "minute": "60s",
    "hour": "3600s",
    "day": "86400s",
    "week": "604800s",
    "month": "1mo",
    "quarter": "3mo",
    "year": "12mo",
}
_HALVES = {
    "minute": "30s",
    "hour": "1800s",
    "day": "43200s",
    "week": "302400s",
    "month": "0.5mo",
    "quarter": "1.5mo",
    "year": "6mo",
}
_DOUBLES = {
    "minute": "120s",
    "hour": "7200s",
    "day": "172800s",
    "week": "1209600s",
    "month": "2mo",
    "quarter": "6mo",
    "year": "24mo",
}
_RHYTHMS = (
    *(
        (unit, rf"(?:once (?:an?|per|every|each)|every(?: single)?|each) {unit}", f"every {span}")
        for unit, span in _SPANS.items()
    ),
    *((unit, rf"(?:twice|2 times) (?:an?|per|every|each) {unit}", f"every {span}") for unit, span in _HALVES.items()),
    *((unit, rf"every (?:other|second) {unit}", f"every {span}") for unit, span in _DOUBLES.items()),
    *(
        (word, word, f"every {span}")
        for word, span in (
            ("hourly", "3600s"),
            ("daily", "86400s"),
            ("weekly", "604800s"),
            ("fortnightly", "1209600s"),
            ("biweekly", "1209600s"),
            ("monthly", "1mo"),
            ("quarterly", "3mo"),
            ("yearly", "12mo"),
            ("annually", "12mo"),
        )
    ),
    ("fortnight", "(?:every|each) fortnight", "every 1209600s"),
)
PHRASES = tuple(
    (frozenset({mark}), re.compile(rf"\b{pattern}(?!\w)"), word) for mark, pattern, word in _RHYTHMS
) + tuple(
    (frozenset(part[0].split()), re.compile(rf"\b(?:{' '.join(part[1].split())})(?!\w)"), part[2].strip())
    for part in (
        one.split(" = ")
        for one in entries(
            r"""switched turned toggled powered = (?:switched|turned|toggled|powered) off = disabled;
            order service action use = out of (?:order|service|action|use) = broken;
            work working = (?:does not|doesn't|is not|isn't|not) work(?:ing)?(?: (?:right now|at the moment|at
            all|properly|again))?(?= since\b| because\b|,|$) = broken;
            works working = (?:is )?work(?:s|ing) (?:fine|again|properly|normally|well)(?: again)?$ = is functional;
            works working = (?:works|is working)$ = is functional;
            repaired fixed mended = (?:has|have) been (?:repaired|fixed|mended)(?: and .{1,30})?$ = is functional;
            off = (?:is not|isn't|are not|aren't) off(?= (?:in|on|for|at|by|during)\b|$) = is enabled;
            on = (?:is not|isn't|are not|aren't) on(?= (?:in|for|at|by|during)\b|$) = is disabled;
            off = (?:is|are) (?:kept )?off(?= (?:in|on|for|at|by|during)\b|$) = is disabled;
            on = (?:is|are) (?:kept )?on(?= (?:in|on|for|at|by|during)\b|$) = is enabled;
            couple = (?:is|are) a couple = are together;
            plane planes = planes? = flight;
            booked reserved = (?:is|are) (?:already |fully )?(?:booked|reserved)(?=
            (?:today|tonight|tomorrow|this|on|at |all)\b|$) = is occupied;
            places spots seats rooms slots vacancies = (?:has|have) (?:free|open|available)
            (?:places|spots|seats|rooms|slots|vacancies)(?: again)? = is vacant;
            leave holiday vacation = on (?:parental |maternity |paternity |annual )?(?:leave|holiday|vacation) = away;
            home = (?:from|at) home$ = remote;
            on = (?:is|are|stays?|remains?) on(?= for| in |$) = is enabled;
            off = (?:is|are|stays?|remains?) off(?= for| in |$) = is disabled;
            up = (?:is|are) (?:back )?up$ = is functional;
            down = (?:is|are) down$ = is broken;
            job = (?:has |have )?(?:found|got|taken|started|landed) (?:a|an|his|her|their) (?:new |first )?job = hired;
            job jobs work = (?:is |are )?(?:looking for (?:a job|work)|job hunting|between jobs|out of work) =
            unemployed;
            back = (?:is|are) back(?: (?:at|from|in).*)?$ = is present;
            schedule time track = on (?:schedule|time|track) = punctual;
            goes go = (?:goes|go) out without = leaves without;
            gets get = (?:gets|get) in at = arrives at;
            availability ga = (?:is |are |has |have )?(?:reached|in|entered) (?:general availability|ga) = is stable;
            pay = (?:(?:is )?(?:has|have|need|needs) to|must) pay for = is chargeable for;
            normal normally = (?:is |are )?(?:running|operating) normally = is underway;
            afraid terrified scared frightened = (?:afraid|terrified|scared|frightened) of = fears;
            reached = can be reached = is reachable;
            reached = (?:cannot|can't|can not) be reached = is unreachable;
            opt = opt[ -]in = optin;
            opt = opt[ -]out = optout;
            read = read[ -]only = readonly;
            lacks lack lacking = (?:lacks?|(?:is|are) lacking) = has no;
            service = in service = functional;
            delayed = (?:is|are|has been|have been) delayed(?: by .{1,20})?$ = is late;
            died passed = (?:has |have )?(?:died|passed away)$ = is dead;
            job = (?:has|have) (?:got )?an? (?:new )?job(?= at\b| with\b| in\b|$) = is employed"""
        )
    )
)
"""Words of which one is in the text, else the pattern is not looked for; what is said by several words; the one word
for it."""
OTHER_WORDS = frozenset(SAME.values()) | {
    SAME.get(one, one) for _, _, words in PHRASES for one in map(stem, words.split())
}
"""Words that may stand for others."""
PHRASES_BY_MARK = {
    mark: [place for place, (marks, _, _) in enumerate(PHRASES) if mark in marks]
    for mark in frozenset[str]().union(*(marks for marks, _, _ in PHRASES))
}
"""The places of the phrases that one of their words stands for."""

_KINDS = entries(
    """red crimson scarlet ginger auburn / blonde blond / green / blue / yellow / white / black / grey gray / brown
    brunette / orange / purple violet / pink / beige / turquoise; broken defective faulty jammed crashed leaking /
    functional working operational intact; full occupied taken / vacant empty available free; healthy well recovered
    fit / sick ill unwell unhealthy injured / dead deceased; healthy / degraded / unhealthy; vegetarian / vegan /
    omnivore meat-eater / pescatarian pescetarian; single unmarried / engaged / married / divorced / widowed; bus /
    tram / train / cycling bike bicycle / car drive / walking foot walk / scooter / ferry / metro subway / taxi;
    fulltime / parttime / freelance / retired / unemployed / student; planned scheduled upcoming / underway running
    / paused suspended / cancelled canceled scrapped abandoned / done finished completed complete / delayed
    postponed; open / closed shut blocked; open unresolved / resolved fixed / wontfix; draft / published / archived;
    draft / final; pending undecided / approved accepted granted / rejected declined refused denied; paid settled /
    unpaid outstanding overdue / refunded; mandatory required compulsory obligatory / optional voluntary; low /
    medium moderate / high / critical; small / medium / large big / huge; beginner / intermediate / advanced /
    expert; junior / mid / senior; bronze / silver / gold; public / private / internal; experimental / alpha / beta
    / stable; onsite / remote / hybrid; cash / card / invoice; gas / wood / oil / electric electricity / solar;
    diesel / petrol / electric; pot potted / planted; present / away absent; enabled / disabled; lost missing /
    found; asleep / awake; clean / dirty polluted contaminated; tidy / messy; wet / dry; warm / cold; sunny / rainy
    / cloudy; manual manually / automatic automatically automated; wired / wireless; supported / deprecated
    unsupported; valid / expired; integer int / string varchar / float / boolean bool / timestamp datetime / uuid;
    hospitalised / discharged; read-only readonly / writable editable; slowly / fast quickly; alive / dead; safe /
    unsafe dangerous; passing pass / failing fail; vacant / leased rented let; unavailable / available; sold /
    available; outdated / updated; profitable / unprofitable; happy content satisfied / unhappy sad miserable
    unsatisfied; rising growing increasing climbing / falling declining shrinking dropping sinking / constant;
    frozen / unfrozen thawed; thriving flourishing growing / dying dead died withered; shy reserved / outgoing
    sociable; passable / blocked impassable flooded; vacant unfilled / filled; sold / unsold; pending waiting /
    merged received arrived approved rejected closed delivered granted; unresolved investigated / resolved solved
    fixed functional; pregnant / delivered; unemployed / hired employed; student / graduated; meat / vegetarian
    vegan; rented rent rents renting / bought owns; engaged / married; 一 / 二 / 三 / 四 / 五 / 六 / 七 / 八 / 九 /
    十; включен включена включено включены включён / выключен выключена выключено выключены отключен отключена;
    ανοιχτός ανοιχτή ανοιχτό ανοιχτά ανοικτό / κλειστός κλειστή κλειστό κλειστά; مفتوح مفتوحة / مغلق مغلقة; खुला
    खुली खुले / बंद; well nicely soundly smoothly / badly poorly; free gratis complimentary / paid chargeable; armed
    / disarmed; boy / girl; optin / optout; shallow / deep; damp / dry; rolled / unrolled; pruned / overgrown"""
)
KINDS: dict[str, tuple[tuple[int, int], ...]] = {}
"""By stem, the places (kind, side) where a word stands; words of one kind and different sides exclude each other."""
for _place, _kind in enumerate(_KINDS):
    for _side, _words in enumerate(_kind.split("/")):
        for _word in _words.split():
            KINDS[stem(_word)] = (*KINDS.get(stem(_word), ()), (_place, _side))

ROLES = stems(
    """ceo cto cfo coo boss manager supervisor doctor physician dentist landlord landlady captain coach owner mayor head
    lead leader director chair president principal headmaster treasurer secretary caretaker conductor goalkeeper
    supplier vendor provider editor maintainer moderator facilitator headquarters capital hometown birthplace venue
    address employer bank insurer cache language framework browser ide platform cloud region default favourite
    favorite nickname surname breed brand nationality religion call charge wife partner girlfriend fiance fiancee
    therapist tutor accountant lawyer mother father backend registry orchestrator winner champion holder priority
    theme title janitor sheriff governor guardian driver pilot goalie spokesperson chef midwife"""
)
"""Nouns of whom a group or a person has one at a time, or who is one alone."""
HAD = stems(
    "car bike phone laptop keyboard bicycle office room desk password name email host branch database size type"
)
"""Nouns of what one has one of, as it is told: "Ana's car is a Fiat"."""

_WIDER = {
    stem(word): stem(wide)
    for wide, narrow in (
        entry.split(" = ")
        for entry in entries(
            """pet = dog cat parrot hamster rabbit tortoise goldfish snake gecko horse pony guinea-pig budgie canary
            lizard spider greyhound puppy kitten ferret mouse terrier poodle; instrument = violin piano
            guitar drums flute cello oboe trumpet clarinet saxophone harp trombone tuba viola bass organ
            accordion banjo ukulele recorder horn; sibling = brother sister; child = son daughter boy
            girl; drink = tea coffee beer wine water juice lemonade milk cocktails whisky vodka; fruit =
            apples pears plums cherries bananas oranges grapes lemons; vegetable = carrots potatoes
            onions cabbage beans peas; language = english french german spanish italian portuguese dutch
            polish russian greek turkish arabic hindi chinese mandarin japanese korean czech danish
            swedish norwegian finnish rust python java go ruby; database = postgresql mysql mariadb
            sqlite mongodb oracle redis; vehicle = car bike bicycle lorry van motorbike scooter bus;
            meat = beef pork chicken lamb ham bacon; sport = football tennis hockey rugby handball
            volleyball basketball swimming rowing cricket golf padel squash badminton judo karate
            fencing boxing skiing sailing climbing gymnastics athletics; jewellery = ring necklace earrings
            bracelet; alcohol = beer wine whisky vodka gin rum"""
        )
    )
    for word in narrow.split()
}


def wider(words: Iterable[str]) -> frozenset[str]:
    """What these words name a kind of: of a dog, a pet."""
    return frozenset(SAME.get(_WIDER[word], _WIDER[word]) for word in words if word in _WIDER)
