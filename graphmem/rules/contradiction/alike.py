"""Words that stand for the same, and words of one kind that exclude each other, for statements compared without order.

`rules.contradiction.antonyms` lists opposites and `rules.contradiction.single_valued` verbs; here are the ways of
saying one thing by a noun or by another verb, and kinds of which a thing has one at a time: a colour, a state of
repair, a means of transport."""

import re
from collections.abc import Iterable

from graphmem.rules.language.stems import entries, stem, stems

GROUPS = entries(
    """cost price priced charge fee; live reside dwell home settle inhabit; work employ job employment employer; start
    begin commence kick; end finish conclude ending; gather convene assemble; lead head leader; manage manager; own
    owner belong ownership; store keep save archive retain retention storage; leave depart departure; expire expiry
    expiration; arrive arrival; deliver delivery; renew renewal; maintain maintainer maintenance; teach teacher
    instructor;
    mother mum mom mommy mummy; father dad daddy; grandmother grandma granny nana oma; grandfather grandpa granddad
    grandad opa; database db datastore; physician doctor gp; car automobile vehicle; bike bicycle; phone telephone
    mobile; flat apartment; boss supervisor; repo repository; config configuration; documentation docs; app
    application; env environment; maximum max; minimum min; temperature temp; wedding marry marriage; commute
    travel trip; rehearse rehearsal; practise practice; train training; weigh weight; kid child children; dose dosage;
    lease rent tenant let; appoint appointment; authenticate authentication auth login; administrator admin; signup
    registration register; salary wage pay; height tall; length long; width wide; depth deep; age old; capacity seat
    seats; limit cap capped; vet veterinarian; password passphrase passcode; review reviewer; film movie; holiday
    vacation; shop; autumn fall; meal lunch; host hosting hosted; duty shift; colour color; centre center;
    photo picture; laptop notebook; luggage baggage; lawyer attorney; chair chairman chairwoman chairperson; tuition
    lessons lesson class; close shut shutdown; person people; coach trainer; speak speaker; edit editor; write author;
    sponsor sponsored; supply supplier; insure insurer insurance insured; direct director; treat treatment; medicine
    medication; wife husband spouse; girlfriend boyfriend; accept admit allow permit allowed
    welcome; forbid prohibit ban disallow; attend attendance participate participation; need require requirement;
    subscribe subscription; book booking reserve reservation; invoice bill; repair mend; purchase buy acquire
    acquisition; large
    big; small little tiny; picnic outing; entry entrance admission ticket; allergy allergic; exam examination;
    pupil student schoolchild; garden yard; sofa couch; fridge refrigerator; lift elevator; pavement sidewalk;
    rubbish trash garbage waste; petrol gasoline; truck lorry; motorway highway; tap faucet; biscuit cookie; sweet
    candy; postbox mailbox; leaflet flyer brochure; error bug defect fault; outage downtime;
    staff personnel workforce employees; customer client; conference convention; contract agreement; tax levy; prize
    award; grandson grandchild; village hamlet; shoe shoes; glasses spectacles; surgery operation;
    chemist pharmacy; guard watchman; gardener landscaper; loan credit; debt; shipment consignment; parcel package
    packet; letter mail; concert gig; theatre theater; singer vocalist; choir chorus; match game; goal target aim
    objective; deadline cutoff; backup backups; alert alarm; screen display; wifi wlan wi-fi;
    browser; plugin extension addon; function method; branch; deploy deployment rollout; build; pipeline;
    shortest quickest fastest; cache; dashboard; metric; migrate migration; educate education; donate donation;
    create creation; relocate relocation;
    renovate renovation; integrate integration; negotiate negotiation; celebrate celebration; graduate graduation;
    investigate investigation; cooperate cooperation; merge merger; publish publication;
    expand expansion; decide decision; remove removal; approve approval; refuse refusal;
    retire retirement; engage engagement; sell sale; choose choice; grow growth; explain explanation; install
    installation; inspect inspection; perform performance; launch release; build construct erect; choose
    pick select opt; help assist; answer reply respond; handle process; inspect examine; finance fund; heat warm;
    hire recruit; distribute spread; transport haul; firm company business enterprise; illness disease sickness;
    rule regulation; error mistake; present gift; rug carpet; trousers pants; pullover sweater jumper; cellar
    basement; attic loft; stairs staircase; path trail; university uni; fast quick rapid speedy; rich wealthy;
    cheap inexpensive; costly pricey; ship vessel; grow cultivate; manufacture produce
    production; guard protect; earn income; yearly annual;
    arrive land touchdown; birth born;
    traffic; standup; supervise supervision"""
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
            r"""switched turned toggled powered = (?:switched|turned|toggled|powered) (?:back )?on = enabled;
            switched turned toggled powered = (?:switched|turned|toggled|powered) off = disabled;
            order service action use = out of (?:order|service|action|use) = broken;
            blink = on the blink = broken;
            work working = (?:does not|doesn't|is not|isn't|not) work(?:ing)?(?: (?:right now|at the
            moment|at all|properly|again))?(?= since\b| because\b|,|$) = broken;
            works working = (?:is )?work(?:s|ing) (?:fine|again|properly|normally|well)(?: again)?$ = is
            functional;
            works working = (?:works|is working)$ = is functional;
            order = in working order = functional;
            service action operation = (?:is |are )?back in (?:service|action|operation) = is functional;
            serviced repaired fixed mended = being (?:serviced|repaired|fixed|mended) = broken;
            processed = (?:still )?being processed = pending;
            way = on (?:its|their|the) way = pending;
            flu cold fever covid = (?:at home|in bed) with (?:the flu|a cold|a fever|covid) = sick;
            repaired fixed mended = (?:has|have) been (?:repaired|fixed|mended)(?: and .{1,30})?$ = is
            functional;
            repaired fixed mended = (?:is|are|was|were|got) (?:repaired|fixed|mended) = is functional;
            running = up and running = functional;
            off = (?:is not|isn't|are not|aren't) off(?= (?:in|on|for|at|by|during)\b|$) = is enabled;
            on = (?:is not|isn't|are not|aren't) on(?= (?:in|for|at|by|during)\b|$) = is disabled;
            off = (?:is|are) (?:kept )?off(?= (?:in|on|for|at|by|during)\b|$) = is disabled;
            on = (?:is|are) (?:kept )?on(?= (?:in|on|for|at|by|during)\b|$) = is enabled;
            girlfriend boyfriend = (?:has|have) an? (?:new )?(?:girlfriend|boyfriend) = is engaged;
            couple = (?:is|are) a couple = are together;
            plane planes = planes? = flight;
            booked reserved = (?:is|are) (?:already |fully )?(?:booked|reserved)(?= (?:today|tonight|tomorrow|this|on|at
            |all)\b|$) = is occupied;
            booked = (?:fully booked|booked (?:out|up|solid)) = full;
            sold = sold out = full;
            capacity = at capacity = full;
            stock = out of stock = unavailable;
            stock = (?:back )?in stock = available;
            places spots seats rooms slots vacancies = (?:has|have) (?:free|open|available)
            (?:places|spots|seats|rooms|slots|vacancies)(?: again)? = is vacant;
            places spots seats rooms slots vacancies = (?:has|have) no (?:free |more )*
            (?:places|spots|seats|rooms|slots|vacancies)(?: left)? = is full;
            places spots seats rooms slots = (?:has|have) (?:places|spots|seats|rooms|slots) (?:left|free)
            = is vacant;
            foot = (?:goes |walks )?on foot = walking;
            time = full[ -]time = fulltime;
            time = part[ -]time = parttime;
            employed = self[ -]employed = freelance;
            progress = in progress = underway;
            way = under way = underway;
            hold = on hold = paused;
            charge = free of charge = free;
            free = for free = free;
            remission = in remission = healthy;
            leave sick = (?:on sick leave|off sick|out sick) = sick;
            leave holiday vacation = on (?:parental |maternity |paternity |annual
            )?(?:leave|holiday|vacation) = away;
            back = back from (?:leave|holiday|vacation|her .*|his .*) = present;
            hand = by hand = manually;
            site = on site = onsite;
            premise premises = on premises? = onsite;
            house = in house = onsite;
            home = (?:from|at) home$ = remote;
            remotely = remotely = remote;
            business = out of business = closed;
            down = (?:shut|closed) down = closed;
            date = out of date = outdated;
            date = up to date = updated;
            on = (?:is|are|stays?|remains?) on(?= for| in |$) = is enabled;
            off = (?:is|are|stays?|remains?) off(?= for| in |$) = is disabled;
            up = (?:is|are) (?:back )?up$ = is functional;
            down = (?:is|are) down$ = is broken;
            up = (?:is|are) (?:going|on the way) up = is rising;
            down = (?:is|are) (?:going|on the way) down = is falling;
            rise = on the rise = rising;
            decline = (?:on the|in) decline = falling;
            offline = (?:is|are) offline = is broken;
            online = (?:is|are) (?:back )?online = is functional;
            lifted = freeze (?:has been|was|is) lifted = is unfrozen;
            renovation construction repair repairs maintenance = (?:is|are) (?:closed )?(?:under|for)
            (?:renovation|construction|repairs?|maintenance) = is closed;
            sale = (?:still )?(?:for|on) sale = unsold;
            birth = (?:has )?(?:gave|given) birth = delivered;
            baby = (?:has )?had (?:her|the|a) baby = delivered;
            job = (?:has |have )?(?:found|got|taken|started|landed) (?:a|an|his|her|their) (?:new |first
            )?job = hired;
            job jobs work = (?:is |are )?(?:looking for (?:a job|work)|job hunting|between jobs|out of
            work) = unemployed;
            waiting awaiting = (?:is|are) (?:still )?(?:waiting for|awaiting) = is pending;
            investigated reviewed looked = (?:is|are) (?:still )?being (?:investigated|reviewed|looked
            into) = is unresolved;
            dropped = dropped out = graduated;
            back = (?:is|are) back(?: (?:at|from|in).*)?$ = is present;
            shop shops = (?:is|are) back in the shops = is available;
            print = out of print = unavailable;
            tune = out of tune = detuned;
            bed = in bed = asleep;
            debt = in debt = indebted;
            ahead = ahead of schedule = early;
            behind schedule = behind schedule = late;
            schedule time track = on (?:schedule|time|track) = punctual;
            goes go = (?:goes|go) out without = leaves without;
            gets get = (?:gets|get) in at = arrives at;
            gets get got = (?:gets|get|got) around = drives;
            construction = under construction = is unfinished;
            availability ga = (?:is |are |has |have )?(?:reached|in|entered) (?:general availability|ga) =
            is stable;
            generally = generally available = stable;
            pay = (?:(?:is )?(?:has|have|need|needs) to|must) pay for = is chargeable for;
            pay pays = pays? for = is chargeable for;
            into = to get into = entry;
            nothing costs cost = costs? nothing = is free;
            rent = for rent = vacant;
            let = to let = vacant;
            normal normally = (?:is |are )?(?:running|operating) normally = is underway;
            afraid terrified scared frightened = (?:afraid|terrified|scared|frightened) of = fears;
            meat = meat[ -]eater = omnivore;
            reached = can be reached = is reachable;
            reached = (?:cannot|can't|can not) be reached = is unreachable;
            finished ended completed = (?:has|have) (?:finished|ended|been completed) = is finished;
            knows know = knows? how to = can;
            able = (?:is|are) able to = can;
            capable = (?:is|are) capable of = can;
            learned learnt = (?:has |have )?(?:learned|learnt) (?:how )?to = can;
            learned learnt = (?:has |have )?never (?:learned|learnt) (?:how )?to = cannot;
            unable = (?:is|are) unable to = cannot;
            incapable = (?:is|are) incapable of = cannot;
            fails fail refuses refuse declines decline = (?:fails?|refuses?|declines?) to = does not;
            opt = opt[ -]in = optin;
            opt = opt[ -]out = optout;
            read = read[ -]only = readonly;
            goes go = (?:now )?(?:goes|go) by = is called;
            delivered received arrived come = (?:has|have|hasn't|haven't) (?:not )?(?:been
            )?(?:delivered|received|arrived|come) yet = is pending;
            come turned found resurfaced = (?:has|have) (?:come (?:home|back)|turned up|resurfaced|been
            found) = is found;
            yet = (?:has|have) yet to = has not;
            still = (?:has|have) still to = has not;
            avoids avoid abstains abstain shuns shun stay stays keep keeps = (?:avoids?|abstains?
            from|shuns?|stays? away from|keeps? away from) = does not;
            lacks lack lacking = (?:lacks?|(?:is|are) lacking) = has no;
            does do goes go gets get without = (?:does|do|goes|go|gets by|get by|manages) without = has
            no;
            allowed permitted = (?:is|are) (?:allowed|permitted) to = may;
            forbidden banned prohibited barred = (?:is|are) (?:forbidden|banned|prohibited|barred)
            (?:to|from) = may not;
            welcome = (?:is|are) welcome (?:at|in|on) = allowed at;
            take takes = (?:does not|doesn't|do not|don't) take = not allowed at;
            twice = twice = 2 times;
            alone = (?:all )?alone = alone;
            plant = plant[ -]based = vegan;
            season = in season = available;
            service = in service = functional;
            running = in the running = active;
            stuck = (?:is|are) stuck in traffic = is late;
            delayed = (?:is|are|has been|have been) delayed(?: by .{1,20})?$ = is late;
            filled = (?:has|have) been filled = is taken;
            taken given snapped = (?:has|have) been (?:taken|given away|snapped up) = is taken;
            fire = on fire = burning;
            strike = on strike = striking;
            duty = off duty = free;
            load = under load = busy;
            use = in use = occupied;
            loan = on loan = lent;
            display = on display = exhibited;
            shore = on shore = ashore;
            board = on board = aboard;
            ground grounded = (?:is|are) grounded = is idle;
            red = in the red = unprofitable;
            died passed = (?:has |have )?(?:died|passed away)$ = is dead;
            job = (?:has|have) (?:got )?an? (?:new )?job(?= at\b| with\b| in\b|$) = is employed;
            hospital = (?:is|are|was|were) (?:still |back )?in (?:the )?hospital = is hospitalised;
            hospital = (?:is|are|was|were) (?:home from|out of|back from) (?:the )?hospital = is discharged;
            black = in the black = profitable"""
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
    brunette / orange / purple violet / pink /
    beige / turquoise; broken defective faulty jammed crashed leaking / functional working operational intact; full
    occupied taken / vacant empty available free; healthy well recovered fit / sick ill unwell unhealthy injured /
    dead deceased; healthy / degraded / unhealthy; vegetarian / vegan / omnivore meat-eater / pescatarian
    pescetarian; single unmarried / engaged / married / divorced / widowed; bus / tram / train / cycling bike
    bicycle / car drive / walking foot walk / scooter / ferry / metro subway / taxi; fulltime / parttime / freelance
    / retired / unemployed / student; planned scheduled upcoming / underway running / paused suspended / cancelled
    canceled scrapped abandoned / done finished completed complete / delayed postponed; open / closed shut blocked; open
    unresolved / resolved fixed / wontfix; draft / published / archived; draft / final; pending undecided / approved
    accepted granted / rejected declined refused denied; paid settled / unpaid outstanding overdue / refunded;
    mandatory required compulsory obligatory / optional voluntary; low / medium moderate / high / critical; small /
    medium / large big / huge; beginner / intermediate / advanced / expert; junior / mid / senior; bronze / silver /
    gold; public / private / internal; experimental / alpha / beta / stable; onsite / remote /
    hybrid; cash / card / invoice; gas /
    wood / oil / electric electricity / solar; diesel / petrol / electric; pot potted / planted; present / away
    absent; enabled / disabled; lost missing / found; asleep / awake; clean / dirty polluted contaminated; tidy /
    messy; wet / dry; warm /
    cold; sunny / rainy / cloudy; manual manually / automatic automatically automated; wired / wireless; supported /
    deprecated unsupported; valid / expired; integer int / string varchar / float /
    boolean bool / timestamp datetime / uuid;
    hospitalised / discharged; read-only readonly / writable editable; slowly / fast quickly; alive /
    dead; safe / unsafe dangerous;
    passing pass / failing fail; vacant / leased rented let; unavailable / available; sold / available; outdated /
    updated; profitable / unprofitable; happy content satisfied / unhappy sad miserable unsatisfied; rising growing
    increasing climbing / falling declining shrinking dropping sinking / constant; frozen / unfrozen thawed;
    thriving flourishing growing / dying dead died withered; shy reserved / outgoing sociable; passable / blocked
    impassable flooded; vacant unfilled / filled; sold / unsold; pending waiting / merged received arrived approved
    rejected closed delivered
    granted; unresolved investigated / resolved solved fixed functional; pregnant / delivered; unemployed / hired
    employed;
    student / graduated; meat / vegetarian vegan; rented rent rents renting / bought owns; engaged / married;
    married / divorced separated; single / married engaged; employed / retired; closed / reopened open; open /
    locked; planned
    scheduled / cancelled canceled scrapped; broken / replaced functional; early / late / punctual; healthy / sick
    died dead; sick / recovered healthy present; lit / dark unlit; dry / sweet; понедельник понедельникам / вторник
    вторникам / среду средам среда / четверг четвергам / пятницу пятницам пятница / субботу субботам суббота /
    воскресенье воскресеньям; δευτέρα δευτέρες / τρίτη τρίτες / τετάρτη τετάρτες / πέμπτη πέμπτες / παρασκευή
    παρασκευές / σάββατο σάββατα / κυριακή κυριακές; الاثنين الإثنين / الثلاثاء / الأربعاء / الخميس / الجمعة / السبت
    / الأحد; सोमवार / मंगलवार / बुधवार / गुरुवार / शुक्रवार / शनिवार / रविवार; 一 / 二 / 三 / 四 / 五 / 六 / 七 / 八 / 九 /
    十; женат замужем / развелся развёлся развелась; शाकाहारी / मांस मांसाहारी; tall / short; thick / thin; popular /
    unpopular; calm nervous anxious / relaxed; friendly / hostile unfriendly; polite / rude; patient / impatient;
    strict / lenient; loud noisy / quiet silent; bright / dim dark; sweet / sour bitter; soft / hard; smooth /
    rough; deep / shallow; wide / narrow; straight / curly bent; sharp / blunt dull; fresh / rotten stale; ripe /
    unripe; visible / hidden invisible; reachable / unreachable; readable / unreadable; heated / unheated; paved /
    unpaved; manned staffed / unmanned; guarded / unguarded; shared / separate; full-size / compact; domestic /
    imported; handmade / machine-made; shaved / bearded; blond blonde / brunette / redhead; odd / even; cheap
    affordable / expensive pricey; reliable / unreliable flaky; crowded / deserted empty; lively / quiet; muddy /
    dry; alone / together; black / milk; открыт открыта открыто открыты / закрыт закрыта закрыто закрыты; включен
    включена включено включены включён / выключен выключена выключено выключены отключен отключена; доступен
    доступна доступно / недоступен недоступна недоступно; работает / сломан сломана; ανοιχτός ανοιχτή ανοιχτό
    ανοιχτά ανοικτό / κλειστός κλειστή κλειστό κλειστά; ενεργός ενεργή ενεργό ενεργοποιημένο ενεργοποιημένη /
    ανενεργό ανενεργή απενεργοποιημένο απενεργοποιημένη; مفتوح مفتوحة / مغلق مغلقة; متاح متاحة / محجوز; مفعل مفعلة /
    معطل معطلة; متزوج متزوجة / مطلق مطلقة أعزب عزباء; खुला खुली खुले / बंद; चालू / बंद; शादीशुदा / तलाकशुदा; 开 開 / 关
    閉; 有効です / 無効です; женат замужем / разведен разведена холост; бесплатный бесплатно бесплатная бесплатные /
    платный платно платная платные; разрешен разрешена разрешено / запрещен запрещена запрещено; свободен свободна
    свободно / занят занята занято; відкритий відкрита відкрито / закритий закрита закрито; увімкнений увімкнена
    увімкнено / вимкнений вимкнена вимкнено; פתוח פתוחה / סגור סגורה; открывается /
    закрывается; красный красная / синий синяя / зеленый зеленая; friends / enemies; locked / unlocked; encrypted /
    unencrypted; stable / unstable flaky; left / right; north / south / east / west; upstairs / downstairs; indoors
    inside / outdoors outside; unfinished / finished completed ready; good great / bad poor terrible; well nicely
    soundly smoothly / badly poorly; free gratis complimentary / paid chargeable; noisy loud / silent quiet; armed /
    disarmed; beta / stable; alpha / beta; running / suspended halted; vacant / taken; often frequently regularly
    always daily / rarely seldom hardly; tame / wild; wild / domestic; fresh / frozen / canned tinned / dried;
    indoor / outdoor; vertical vertically / horizontal horizontally; clockwise / counterclockwise anticlockwise;
    analogue analog / digital; acoustic / electric; left-handed / right-handed / ambidextrous; lefthanded /
    righthanded; amateur / professional; batch / streaming realtime real-time; eager / lazy; verbose / terse;
    primary / secondary standby replica; leader / follower; compiled / interpreted; encrypted / plaintext; lossless
    / lossy; portrait / landscape; metric / imperial; net / gross; fixed / variable / adjustable; refundable /
    nonrefundable; furnished / unfurnished; detached / semi-detached / terraced; leasehold / freehold; boiled /
    fried / baked / grilled / steamed / roasted / raw; still / sparkling; decaf decaffeinated / caffeinated; mild /
    spicy; salted / unsalted; skimmed / whole; matte matt / glossy; plain / striped / checked / dotted; male /
    female; boy / girl; vaccinated / unvaccinated; acute / chronic; benign / malignant; positive / negative;
    conscious / unconscious; guilty / acquitted innocent / convicted; valid / void; binding / non-binding
    nonbinding; won / lost / drawn; promoted / relegated; qualified / eliminated / disqualified; starter /
    substitute; ahead / behind; foggy / clear; calm / stormy windy; evergreen / deciduous; annual / perennial;
    edible / poisonous toxic inedible; endangered / extinct; nocturnal / diurnal; hibernating / awake active;
    burning / extinguished; striking / working; aboard / ashore; lent / returned; rigid / flexible; elastic / rigid;
    transparent / opaque; liquid / solid / gaseous; smooth / bumpy; tight / loose; tilted crooked / straight level;
    parallel / perpendicular; mono / stereo; sharp / blurred blurry; muted / unmuted; pinned / unpinned; starred /
    unstarred; monthly / yearly; fulltime / parttime; open-source opensource / proprietary closed-source; monolithic
    monolith / distributed microservices; relational / document; optimistic / pessimistic; permissive / strict;
    deterministic / random; ascending / descending; relative / absolute; local / global; native / emulated; inline /
    external; optin / optout; prepaid / postpaid; taxable / tax-free taxfree exempt; solvent / insolvent bankrupt;
    listed / delisted; independent / acquired dependent; private / listed; nonprofit / commercial; civil / military;
    urban / rural; coastal / inland; flat / hilly mountainous; sandy / rocky; navigable / blocked; frozen / melted;
    snowed snowy / clear; swollen / normal; bleeding / healed; broken / healed; infected / healed; contagious /
    harmless; blind / sighted; deaf / hearing; pregnant / childless; bald / hairy; bearded / clean-shaven; slim thin
    / fat overweight; left / stayed remained; awake / sleeping; seated / standing; upright / lying; kneeling /
    standing; barefoot / shod; dressed / naked; drunk / sober; hungry / full sated; thirsty / quenched; bored /
    excited; confident / insecure; generous / stingy; honest / dishonest; careful / careless; punctual / late;
    talkative / quiet taciturn; tidy / untidy; lazy / hardworking diligent; brave / cowardly; loyal / disloyal;
    forgiving / unforgiving; famous / unknown obscure; modern / old-fashioned outdated; ancient / new; central /
    remote outlying; nearby near / far; narrow / broad; shallow / deep; spacious / cramped; sunny / shady; draughty
    / airtight; damp / dry; dusty / spotless; squeaky / silent; rusty / shiny rustproof; sealed / leaky leaking;
    loaded / unloaded; charged / flat empty; plugged / unplugged; mounted / dismounted unmounted; tuned / detuned;
    inflated / flat deflated; folded / unfolded; rolled / unrolled; wrapped / unwrapped; labelled labeled /
    unlabelled unlabeled; sorted / unsorted; numbered / unnumbered; bound / unbound; printed / handwritten digital;
    typed / handwritten; signed / unsigned; stamped / unstamped; sent / unsent; read / unread; answered /
    unanswered; planted / harvested; sown / harvested; mown mowed / overgrown; pruned / overgrown; blooming
    flowering / faded withered; hatched / unhatched; weaned / nursing; fed / unfed starving; trained / untrained;
    broken-in / wild; raw / cooked; glass / wood wooden / metal steel tin iron / plastic / stone slate marble /
    concrete / brick / thatch thatched straw; cotton /
    wool / silk / linen / leather; licensed / unlicensed; dormant inactive / active; hired / fired; insured /
    uninsured"""
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
