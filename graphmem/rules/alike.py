"""Words that stand for the same, and words of one kind that exclude each other, for statements compared without order.

`rules.antonyms` lists opposites and `rules.single_valued` verbs; here are the ways of saying one thing by a noun or by
another verb, and kinds of which a thing has one at a time: a colour, a state of repair, a means of transport.
"""

import re

from graphmem.rules.antonyms import entries, stem, stems

_SAME = entries(
    """cost price priced charge fee; live reside dwell home settle inhabit; work employ job employment employer; start
    begin commence kick; end finish conclude ending; gather convene assemble; lead head leader; manage manager; own
    owner belong ownership; store keep save archive retain; expire expiry expiration; depart departure; arrive arrival;
    deliver delivery; renew renewal; maintain maintainer maintenance; teach teacher; mother mum mom mommy mummy; father
    dad daddy; grandmother grandma granny nana oma; grandfather grandpa granddad grandad opa; database db datastore;
    physician doctor gp; car automobile vehicle; bike bicycle; phone telephone mobile; flat apartment; boss supervisor;
    repo repository; config configuration; documentation docs; app application; env environment; maximum max; minimum
    min; temperature temp; wedding marry marriage; commute travel; rehearse rehearsal; practise practice; train
    training; weigh weight; kid child children; dose dosage; lease rent tenant let; appoint appointment; authenticate
    authentication auth login; administrator admin; signup registration register; salary wage pay; height tall; length
    long; width wide; depth deep; age old; capacity seat seats; limit cap capped; vet veterinarian; password passphrase
    passcode; review reviewer; film movie; holiday vacation; shop store; autumn fall; meal lunch; host hosting hosted;
    duty shift; colour color; centre center; photo picture; laptop notebook; luggage baggage; lawyer attorney; chair
    chairman chairwoman chairperson; tuition lessons lesson class; close shut; person people; coach trainer; speak
    speaker; edit editor; write author; sponsor sponsored; supply supplier; insure insurer; direct director; treat
    treatment; plane flight; medicine medication; wife husband spouse; girlfriend boyfriend"""
)
SAME = {stem(word): stem(group.split()[0]) for group in _SAME for word in group.split()}
"""By stem, the one that stands for all that say the same."""
LIGHT = frozenset(
    stems(
        """be have do go take make get give come set plan schedule due book slate remain stay become run wear serve stand
    lie sit read use carry call name say mean amount total equal so far there way thing place located location situate
    base site happen occur number up down out new current official actual whole time meanwhile hold keep lower consist
    its their his her our s off current present still"""
    )
) | {"be", "hav"}
"""Verbs and nouns that say only that there is something."""
MOVERS = stems(
    """move switch change raise lower increase decrease reduce cut extend shorten reschedule postpone delay bring push
    shift upgrade downgrade bump adjust update drop rise fall grow climb transfer relocate migrate go return revert
    convert transition swap turn back over forward correct"""
)
"""Verbs that say that a value is another one than before."""

PHRASES = tuple(
    (frozenset(part[0].split()), re.compile(rf"\b(?:{' '.join(part[1].split())})(?!\w)"), part[2].strip())
    for part in (
        one.split("=")
        for one in entries(
            r"""switched turned toggled powered = (?:switched|turned|toggled|powered) on = enabled;
            switched turned toggled powered = (?:switched|turned|toggled|powered) off = disabled;
            order service action use = out of (?:order|service|action|use) = broken;
            blink = on the blink = broken;
            work working = (?:does not|doesn't|is not|isn't|not) work(?:ing)?(?: (?:right now|at the moment))? = broken;
            works working = (?:is )?work(?:s|ing) (?:fine|again|properly|normally|well)(?: again)?$ = is functional;
            works working = (?:works|is working)$ = is functional; order = in working order = functional;
            service action operation = back in (?:service|action|operation) = functional;
            repaired fixed mended = (?:has|have) been (?:repaired|fixed|mended)(?: and .{1,30})?$ = is functional;
            repaired fixed mended = (?:is|are|was|were|got) (?:repaired|fixed|mended) = is functional;
            running = up and running = functional;
            booked = (?:fully booked|booked (?:out|up|solid)) = full; sold = sold out = full;
            capacity = at capacity = full; stock = out of stock = unavailable; stock = (?:back )?in stock = available;
            places spots seats rooms slots vacancies = (?:has|have) (?:free|open|available)
            (?:places|spots|seats|rooms|slots|vacancies)(?: again)? = is vacant;
            places spots seats rooms slots vacancies = (?:has|have) no (?:free |more )*
            (?:places|spots|seats|rooms|slots|vacancies)(?: left)? = is full;
            places spots seats rooms slots = (?:has|have) (?:places|spots|seats|rooms|slots) (?:left|free) = is vacant;
            foot = (?:goes |walks )?on foot = walking;
            time = full time = fulltime; time = part time = parttime; employed = self employed = freelance;
            day = (?:every(?: single)?|each|once a|once per) day = daily;
            week = (?:every|each|once a|once per) week = weekly;
            month = (?:every|each|once a|once per) month = monthly;
            year = (?:every|each|once a|once per) year = yearly;
            hour = (?:every|each|once an|once per) hour = hourly;
            quarter months = (?:every quarter|once a quarter|every 3 months) = quarterly;
            weeks week fortnight = every (?:2 weeks|14days|1209600s|other week|second week|fortnight) = fortnightly;
            progress = in progress = underway; way = under way = underway; hold = on hold = paused;
            charge = free of charge = free; free = for free = free; remission = in remission = healthy;
            leave sick = (?:on sick leave|off sick|out sick) = sick;
            leave holiday vacation = on (?:parental |maternity |paternity |annual )?(?:leave|holiday|vacation) = away;
            leave holiday vacation = back from (?:leave|holiday|vacation|her .*|his .*) = present;
            hand = by hand = manually; site = on site = onsite; premise premises = on premises? = onsite;
            house = in house = onsite; home = (?:from|at) home$ = remote; remotely = remotely = remote;
            business = out of business = closed; down = (?:shut|closed) down = closed; date = out of date = outdated;
            date = up to date = updated; red = in the red = unprofitable; black = in the black = profitable"""
        )
    )
)
"""Words of which one is in the text, else the pattern is not looked for; what is said by several words; the one word
for it."""
PHRASE_MARKS = frozenset[str]().union(*(marks for marks, _, _ in PHRASES))

_KINDS = entries(
    """red crimson scarlet / green / blue / yellow / white / black / grey gray / brown / orange / purple violet / pink /
    beige / turquoise; broken defective faulty jammed crashed leaking / functional working operational intact;
    full occupied taken / vacant empty available free; healthy well recovered fit / sick ill unwell unhealthy injured /
    dead deceased; healthy / degraded / unhealthy; vegetarian / vegan / omnivore meat-eater / pescatarian pescetarian;
    single unmarried / engaged / married / divorced / widowed;
    bus / tram / train / cycling bike bicycle / car drive / walking foot walk / scooter / ferry / metro subway / taxi;
    daily / weekly / fortnightly / monthly / quarterly / yearly annual / hourly;
    morning / afternoon / evening / night / noon; spring / summer / autumn fall / winter;
    fulltime / parttime / freelance / retired / unemployed / student;
    planned scheduled upcoming / underway running / paused suspended / cancelled canceled scrapped abandoned / done
    finished completed complete / delayed postponed; open / closed shut; open unresolved / resolved fixed / wontfix;
    draft / published / archived; draft / final; pending undecided / approved accepted granted / rejected declined
    refused denied; paid settled / unpaid outstanding overdue / refunded; mandatory required compulsory obligatory /
    optional voluntary; low / medium moderate / high / critical; small / medium / large big / huge; beginner /
    intermediate / advanced / expert; junior / mid / senior; bronze / silver / gold; public / private / internal;
    alpha / beta / stable; onsite / remote / hybrid; cash / card / invoice; gas / wood / oil / electric electricity /
    solar; diesel / petrol / electric; pot potted / planted; present / away absent; enabled / disabled; lost missing /
    found; asleep / awake; clean / dirty; tidy / messy; wet / dry; warm / cold; sunny / rainy / cloudy; manual manually
    / automatic automatically automated; wired / wireless; supported / deprecated unsupported; valid / expired;
    read-only readonly / writable; alive / dead; safe / unsafe dangerous; passing pass / failing fail;
    vacant / leased rented let; unavailable / available; sold / available; outdated / updated; profitable / unprofitable;
    happy / unhappy; friends / enemies; locked / unlocked; encrypted / unencrypted; stable / unstable flaky; left /
    right; north / south / east / west; upstairs / downstairs; indoors inside / outdoors outside; raw / cooked;
    glass / wood wooden / metal steel / plastic / stone / concrete / brick; cotton / wool / silk / linen / leather;
    tea / coffee; first / second / third / fourth / fifth / sixth; weekday weekdays / weekend weekends;
    charged / empty; licensed / unlicensed; dormant inactive / active; hired / fired; insured / uninsured"""
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
    address employer bank insurer cache language framework browser ide platform cloud region default
    favourite favorite nickname surname breed brand nationality religion call charge wife partner
    girlfriend fiance fiancee therapist tutor accountant lawyer mother father
    backend registry orchestrator winner champion holder priority theme title janitor sheriff governor guardian
    driver pilot goalie spokesperson chef midwife"""
)
"""Nouns of whom a group or a person has one at a time, or who is one alone."""
HAD = stems("car bike phone laptop keyboard bicycle office room desk password name email host branch database size type")
"""Nouns of what one has one of, as it is told: "Ana's car is a Fiat"."""
