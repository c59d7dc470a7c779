"""The words by which states are told that have one value at a time (`rules.contradiction.states`)."""

import re

from graphmem.rules.contradiction.agents import AGENTS, telling

_BETWEEN = r"(?:(?:now|currently|recently|just|already|officially|finally|actually|since) )*"
_IS = rf"(?:is|are|has been|have been) {_BETWEEN}"
_DID = rf"(?:(?:has|have|had|was|were|is|are|been|being|got|gets) )*{_BETWEEN}"
_ROLES = (
    r"(?:ceo|cto|cfo|coo|ciso|president|chair(?:man|woman|person)?|treasurer|captain|principal|headmaster|headteacher"
    r"|mayor|(?:head )?coach|conductor|landlord|landlady|product owner|scrum master"
    r"|(?:tech|team|project|engineering|release|design|qa) (?:lead|manager)|managing director|editor in chief"
    r"|(?:head|director|chair|leader|captain|manager) of [\w' -]{2,40}?|incident commander|office manager|caretaker)"
)
_OF = r"(?: (?:of|at|for) (?P<o>.+))?"
_SET = (
    r"(?:went|gone|goes|rose|risen|dropped|fell|fallen|climbed|grew|grown|shrank|raised|lowered|cut|increased|reduced"
    r"|changed|switched|moved|set|bumped|adjusted|updated|upped|doubled|halved|corrected)(?: (?:up|down|back))?"
    r"(?: from .{1,30}?)?"
)
_OFFICE = (
    r"(?:(?:world |european |global |national )?headquarters|head office|main office|registered office|seat|base"
    r"|premises|office|practice|surgery|studio|workshop)"
)
_NEW = r"(?:(?:new|current|second|present) )*"
_PARTNER = r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?)"
_PEOPLE = (
    r"(?:members?|people|persons?|employees|staff|engineers|developers|players|pupils|students|inhabitants"
    r"|residents|subscribers|users|customers|volunteers|seats|beds|rooms|pages|chapters|floors|storeys|nodes"
    r"|shards|replicas|cores|teams|countries|branches|shops|stores)\b"
)
_MONEY = (
    r"\d[\d.,]*(?: (?:eur|euros?|usd|dollars?|gbp|pounds?|chf|francs?|cents?|crowns?|kronor|zloty|yen|rupees|pence))\b"
)
_ABOUT = r"(?:only |just |now |still |currently |exactly )?"
_DAYS = (
    r"(?:the )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august"
    r"|september|october|november|december|weekdays|weekends"
)
_EVENT = (
    r"(?:party|wedding|funeral|ceremony|reception|interview|exam|offsite|off-site|retreat|concert|gig|conference"
    r"|festival"
    r"|exhibition|annual general meeting|agm|parents' evening|christening|dinner|final|hackathon|kick-off|kickoff"
    r"|workshop"
    r"|picnic|reunion|gala|auction|hearing|premiere)"
)
_JOB = (
    r"(?:[\w-]+ ){0,2}(?:\w{2,}(?:ist|ician|smith|wright|maker|keeper|monger|driver|worker|cleaner|builder|grapher"
    r"|ologist|herd)"
    r"|teacher|nurse|doctor|lawyer|baker|butcher|carpenter|plumber|electrician|painter|cook|chef|waiter|waitress|barber"
    r"|hairdresser|engineer|developer|programmer|designer|architect|analyst|consultant|manager|accountant|clerk|cashier"
    r"|secretary|assistant|journalist|reporter|editor|writer|author|translator|interpreter|actor|actress|singer"
    r"|musician"
    r"|conductor|dancer|photographer|pilot|sailor|soldier|police officer|detective|firefighter|paramedic|midwife"
    r"|surgeon"
    r"|dentist|vet|farmer|gardener|fisherman|miner|welder|mechanic|technician|tailor|cobbler|potter|carer|judge|notary"
    r"|priest|pastor|librarian|archivist|curator|tutor|lecturer|professor|researcher|scientist|student|apprentice"
    r"|intern"
    r"|trainee|courier|postman|guard|guide|porter|receptionist|broker|trader|banker|auditor|salesman|saleswoman|seller"
    r"|realtor|surveyor|ranger|forester|brewer|roofer|mason|bricklayer|glazier|locksmith|tester|administrator|barista"
    r"|bartender|butler|postdoc|fellow|resident|master|foreman|freelancer|nanny|coach|trainer|umpire|referee|diver"
    r"|lifeguard|captain|skipper)"
)
NOUN = re.compile(
    r"\b(?:(?:favou?rite|default|preferred|primary|main|maximum|minimum|max|min|official|native|first|mother|second) )?"
    r"(?:budget|status|state|priority|size|colou?r|limit|cap|birthday|date of birth|age|height|weight|length|width"
    r"|depth"
    r"|nationality|citizenship|religion|tongue|blood group|blood type|phone number|mobile number|room number|number"
    r"|address"
    r"|e-?mail(?: address)?|licence plate|license plate|password|passcode|pin|code|combination|username|handle|hostname"
    r"|domain|url|ip address|time ?zone|currency|capital|hometown|birthplace|warranty|retention(?: period)?|timeout"
    r"|interval"
    r"|frequency|temperature|speed limit|speed|surname|last name|maiden name|first name|middle name|slogan|motto|mascot"
    r"|theme|licen[cs]e|framework|backend|frontend|database|engine|species|breed|type|model|format|encoding|language"
    r"|branch"
    r"|diet|mode|rank|grade|level|league|division|shift|floor|opening hours|closing time|opening time|start time"
    r"|bedtime"
    r"|curfew|check-in(?: time)?|check-out(?: time)?|dose|dosage|diagnosis|destination|platform|gate|drink|food|dish"
    r"|meal"
    r"|book|film|movie|song|band|team|sport|subject|season|animal|flower|game|register|store|broker|cloud|region"
    r"|instrument"
    r"|editor|ide|browser|operating system|shell|distro|car|bike|phone|laptop|score|rating|quota|term|notice period"
    r"|interest rate|exchange rate|tax rate|vat rate|discount|deposit|margin|threshold|ratio|percentage|share)\b(?!')"
)
"""A noun for what a thing has one of."""
IS = _IS
SET = rf"{_DID}{_SET}"


_DWELLING = (
    r"(?:an?|the|his|her|their|our|my) (?:[\w-]+ ){0,3}?(?:house|flat|apartment|cottage|room|home|villa|caravan|hostel"
    r"|studio|bungalow|dormitory|loft|farmhouse|houseboat|attic)\b"
)
TELLINGS = (
    telling(
        "home",
        "liv;resid;based;stay;settled;home",
        rf"(?P<s>.*?)\b(?:lives?|resides?|(?:{_IS})(?:living|staying|based)|settled|has settled|ha(?:s|ve) made "
        r"(?:his|her|their) home) (?:in|at|near) (?P<v>.+)",
    ),
    telling("home", "home is", r"(?P<s>.*?)'s (?:new |current )?home is (?:in )?(?P<v>.+)"),
    telling(
        "work",
        "work;employ",
        r"(?P<s>.*?)\b(?:works?|(?:is|are|has been|have been) (?:now |currently )?(?:working|employed))"
        r"(?: as (?:an? )?[\w -]{2,30}?)? (?:at|for|by) (?P<v>.+)",
    ),
    telling(
        "boss",
        "report;manag;supervis;answers to",
        rf"(?P<s>.*?)\b(?:reports? to|answers? to|{_IS}(?:managed|supervised) by) (?P<v>.+)",
    ),
    telling(
        "boss",
        "manager;boss;supervisor",
        r"(?P<s>.*?)'s (?:new |line |direct |immediate )*(?:manager|boss|supervisor) is (?P<v>.+)",
    ),
    telling(
        "desk",
        " sit; work;based",
        rf"(?P<s>.+?) (?:sits?|works?|{_IS}(?:working|sitting|based))(?: out of| from| in| at| on) (?:the |an? |our "
        rf"|his |her )?"
        r"(?P<v>[\w' -]+? (?:office|floor|building|room|site|wing)\b).*",
    ),
    telling(
        "desk",
        "mov;relocat;transfer",
        rf"(?P<s>.+?) {_DID}(?:moved|relocated|transferred|relocates|moves)(?: from .+?)? (?:to|into|onto) (?:the "
        rf"|our )?"
        r"(?P<v>[\w' -]+? (?:office|floor|building|room|site|wing)\b).*",
        changed=True,
    ),
    telling(
        "site",
        " is ; are ; will ; take",
        rf"(?P<s>(?:(?:the|our|my|this year's|next year's|[^ ]+'s) )?(?:[\w'-]+ ){{0,4}}?{_EVENT}(?: (?:of|for"
        rf"|with) [\w' -]+?)?)"
        r" (?:is|takes place|will be|will take place|will be held|is being held|is going to be(?: held)?"
        r"|is to be held|happens)"
        rf"(?: now)? (?:in|at|on) (?P<v>(?!\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half"
        rf"|noon|midnight|lunchtime|night)\b)(?:the |room |hall |court |[\w-]+ ?)(?<!\d )(?!.*(?:{_DAYS}|\d(?:am|pm"
        rf"|:\d))).*)",
    ),
    telling(
        "dwelling",
        " live;living",
        rf"(?P<s>.+?) (?:lives?|{_IS}living) (?:in|on) (?P<v>{_DWELLING}.*)",
    ),
    telling("dwelling", "mov", rf"(?P<s>.+?) {_DID}moved (?:back )?(?:in)?to (?P<v>{_DWELLING}.*)", changed=True),
    telling(
        "tool",
        " done ; made ; kept ; handled ; run ; managed ; tracked ; written ; stored ; processed ; hosted ",
        r"(?:our |the )?(?P<s>[\w' -]+?) (?:is|are) (?:done|made|kept|handled|run|managed|tracked|written|stored"
        r"|processed"
        r"|hosted) (?:in|on|with|via|through|using) (?P<v>.+)",
    ),
    telling(
        "weak tool",
        " is on ; are on ; is in ; are in ",
        r"(?:our |the )(?P<s>[\w' -]+?) (?:is|are) (?:on|in) (?P<v>[\w.+-]+(?: [\w.+-]+)?)",
    ),
    telling(
        "tool",
        "switch;mov;migrat;chang;port;transfer",
        r"(?:.+? )?(?:switched|moved|migrated|changed|ported|transferred) (?:all )?(?:our |the |all "
        r"|its )(?P<s>[\w' -]+?)"
        r"(?: over)?(?: from .+?)? (?:to|into|onto) (?P<v>.+)",
        changed=True,
    ),
    telling("owner", "belong", r"(?P<s>(?:it|(?:the |our |its |[^ ]+'s ).*?))\b ?belongs? (?:now )?to (?P<v>.+)"),
    telling(
        "owner",
        "took;taken",
        rf"(?P<v>.+?) {_DID}(?:took|taken) (?:over|ownership of|charge of) (?P<s>(?!as ).+)",
        changed=True,
    ),
    telling(
        "role",
        " is ",
        rf"(?:the |our )?(?:new |current )?(?P<s>{_ROLES})(?: (?:of|at|for) (?P<o>.+?))? is (?:now )?(?P<v>.+)",
    ),
    telling(
        "role", " is ", rf"(?P<v>.+?) {_IS}(?:the|our|their) (?:new |current |acting |interim )?(?P<s>{_ROLES}){_OF}"
    ),
    telling(
        "role",
        "bec;appoint;elect;nam;took;taken;promot;step;start;sworn",
        rf"(?P<v>.+?) {_DID}(?:became|become|becomes|appointed|elected|named|sworn in as|promoted to|taken over as"
        rf"|took over as"
        rf"|stepped in as|started as) (?:the |our |its )?(?:new |acting |interim )?(?P<s>{_ROLES}){_OF}",
        changed=True,
    ),
    telling(
        "weak shift",
        " shift",
        rf"(?P<s>.+?) (?:works?|does|do|{_IS}on|{_IS}working|(?:has |have )?(?:switched|moved|changed) to) (?:the )?"
        r"(?P<v>night|day|early|late|morning|evening|afternoon) shifts?(?: .+)?",
    ),
    telling(
        "weak commute",
        "to work;to school;to the office;to university;to college",
        r"(?P<s>.+?) (?P<v>drives?|cycles?|walks?|bikes?|runs?|takes? the (?:bus|train|tram|car|bike|metro|ferry)"
        r"|(?:goes|commutes|travels) by \w+) to (?P<o>work|school|the office|university|college)\b.*",
    ),
    telling(
        "rank",
        "promoted;demoted",
        rf"(?P<s>.+?) {_DID}(?:promoted|demoted)(?: from .+?)? to (?:be )?(?:an? "
        rf"|the )?(?P<v>[\w-]+(?: [\w-]+){{0,3}}?)"
        r"(?: (?:at|for|in|on|with) .+)?",
        changed=True,
    ),
    telling(
        "weak rank",
        " is a; works as ;is now a",
        rf"(?P<s>.+?) (?:{_IS}|works? as )(?:an? |our |the )(?P<v>{_JOB}|[\w-]+ (?:intern|trainee|apprentice"
        rf"|assistant))"
        r"(?: (?:at|for|in|on|with) .+)?",
    ),
    telling(
        "bond",
        "single;engaged;married;divorced;widowed",
        rf"(?P<s>.*?)\b{_IS}(?P<v>single|engaged|married|divorced|widowed)\b.*",
    ),
    telling(
        "bond",
        "married;engaged;divorced",
        r"(?P<s>(?!.*\b(?:was|were|had been) (?:married|engaged|divorced)).*?)\b(?:has |have )?(?:just |recently )?"
        r"(?:got |gotten )?(?P<v>married|engaged|divorced)\b.*",
        changed=True,
    ),
    telling(
        "port",
        "port",
        r"(?P<s>.*?)\b(?:(?:runs?|listens?|serves?|binds?|answers?|is|are) )?(?:on|to|uses|is) (?:the )?"
        r"(?:tcp |http )?port (?:number )?(?P<v>\d+)",
    ),
    telling("port", "port", r"(?P<s>.*?)\bport (?:is|=) (?P<v>\d+)"),
    telling("port", "listen", r"(?P<s>.*?)\blistens on (?:port )?(?P<v>\d+)"),
    telling(
        "means",
        "switch;mov;migrat;chang",
        rf"(?P<s>.*?)\b{_DID}(?:switched|moved|migrated|changed|went)(?: over)?(?: from .{{1,40}}?)? to (?P<v>.+?)"
        r" (?:as (?:its |the |our )?|for )(?P<o>.+)",
        changed=True,
    ),
    telling(
        "home",
        "office;headquarter;premises; seat; base; home;practice;surgery;studio;workshop",
        rf"(?:the |its )?{_OFFICE} of (?P<s>.+?) (?:is|are|has been|have been)(?: located| situated| now)? "
        r"(?:in|at|on) (?P<v>.+)",
    ),
    telling(
        "home",
        "office;headquarter;premises; seat; base; home",
        rf"(?P<s>.+?)(?:'s?)? {_OFFICE} (?:is|are|has been|have been)(?: located| situated| now)? (?:in|at"
        rf"|on) (?P<v>.+)",
    ),
    telling(
        "home",
        "office;headquarter;premises; seat; base; home;practice;surgery;studio;workshop",
        rf"(?P<s>.+?) (?:has|have|keeps|maintains) (?:its|their|the|his|her) {_OFFICE} (?:in|at|on) (?P<v>.+)",
    ),
    telling(
        "home",
        "headquartered;domiciled;located;situated;housed;seated;registered "
        "in;lives;resident in;at home in;flat in;house in",
        rf"(?P<s>.+?) (?:{_IS}(?:headquartered|domiciled|located|situated|housed|seated|registered|resident|at home)"
        r"|lives? (?:with|together with|alone|by|on|as|next)\b.{0,40}?|rents an? (?:flat|house|room|apartment)"
        r"|(?:has|have) (?:(?:bought|found|rented) an?|(?:got )?(?:an?|my|his|her|their|our) own) (?:\w+ )?(?:flat"
        r"|house|room|apartment|home|place)) (?:in|at|near) (?P<v>.+)",
    ),
    telling(
        "home",
        "office;headquarter;premises; seat; base; home",
        rf"(?P<s>.+?) {_DID}(?:moved|relocated|transferred|shifted) (?:its|their"
        rf"|the) {_OFFICE}(?: from .+?)? to (?P<v>.+)",
        changed=True,
    ),
    telling(
        "job",
        "works as;working as;profession;trade;occupation; job ;living;earns",
        rf"(?P<s>.+?) (?:(?:works|{_IS}working|earns (?:his|her|their) (?:living|money)|makes (?:a|his|her"
        rf"|their) living) as|is (?=[^,]+ by (?:profession|trade)))"
        r" (?P<v>an? [\w -]+?)(?: by (?:profession|trade)| (?:at|for|in|on|with) .+)?",
    ),
    telling(
        "job",
        "became;become;retrained;career;started",
        rf"(?P<s>.+?) {_DID}(?:became|become|retrained (?:as|to be)|started (?:out )?as"
        rf"|changed careers? to) (?P<v>an? {_JOB})(?: .+)?",
        changed=True,
    ),
    telling(
        "job",
        "unemployed;out of work;jobless;between jobs;retired",
        rf"(?P<s>.+?) {_IS}(?P<v>unemployed|out of work|jobless|between jobs)(?: .+)?",
    ),
    telling(
        "partner",
        "wife;husband;spouse;partner;girlfriend;boyfriend;fianc",
        rf"(?P<s>.+?)'s {_NEW}{_PARTNER} is (?P<v>.+)",
    ),
    telling(
        "price",
        " free;nothing",
        r"(?P<s>.+?) (?:is|are|costs?)(?: now| still)? (?P<v>free|nothing)(?: of charge)?(?P<o> (?:for|on|in|at"
        r"|during) .+)?",
    ),
    telling(
        "price",
        "cost;priced;goes for;sells for;sold for; is ; are ;comes to;charged;available for;sets you back",
        rf"(?P<s>.+?) (?:costs?|(?:is|are) (?:now )?(?:priced at|sold for|charged at|available for|to be had for)"
        rf"|goes for"
        rf"|go for|sells? for|comes? to|sets you back|is|are) {_ABOUT}(?P<v>{_MONEY})(?P<o> .+)?",
    ),
    telling(
        "count",
        "consist;made up;compris;count;number;grown;grew;shrunk;shrank;down to;up to; of ;employs",
        rf"(?P<s>.+?) (?:consists? of|is made up of|comprises?|counts|numbers|{_DID}(?:grown|grew|shrunk|shrank"
        rf"|expanded) to|is (?:down|up) to|employs) {_ABOUT}(?P<v>\d+ [\w-]+)(?: .+)?",
    ),
    telling("count", " has ; have ", rf"(?P<s>.+?) (?:has|have) {_ABOUT}(?P<v>\d+ {_PEOPLE})"),
    telling("count", "there are ;there is ", rf"there (?:are|is) {_ABOUT}(?P<v>\d+ [\w-]+) (?:in|on|at) (?P<s>.+)"),
    telling(
        "named",
        "called;named;titled;christened;known as;name of",
        r"(?P<s>.+?) (?:is|are) (?:now |officially |formally )?(?:called|named|titled|entitled|christened"
        r"|known as) (?!after |by |in |from |off)(?P<v>.+)",
    ),
    telling(
        "named",
        "name",
        r"(?:the )?(?:new |official |full )?(?:name|title) of (?P<s>.+?) (?:is|has been)(?: now)? (?P<v>.+)",
    ),
    telling(
        "means",
        " on ; with ; via ; through ; over ; using ",
        r"(?P<s>(?!(?:he|she|it|they)\b).+?) (?P<o>(?!is\b|has\b|was\b|does\b)[a-z]+s)"
        r" (?:on|with|via|through|over|using) (?P<v>[^ ]+(?: [^ ]+){0,2})",
    ),
    telling(
        "position",
        " is ;became;become;promoted;named;elected;appointed",
        r"(?P<s>[^ ]+(?: [^ ]+)?) (?:is|became|has become|was (?:promoted to|made|named|elected|appointed)"
        r"|has been (?:promoted to|made|named|elected|appointed)) (?:now )?(?:an? "
        r"|the )?(?P<v>(?:[\w-]+ ){0,2}[\w-]+) (?P<o>(?:at|of|in) .+)",
    ),
    telling(
        "named",
        "calls itself;call themselves;calls himself;calls herself",
        r"(?P<s>.+?) calls? (?:itself|themselves|himself|herself) (?P<v>.+)",
    ),
    telling(
        "named",
        "trade;operate;appear;sold as;perform;published as",
        r"(?P<s>.+?) (?:trades?|operates?|appears?|is sold|is marketed|performs?"
        r"|is published) as (?P<v>.+?)(?: after .+| from .+)?",
    ),
    telling(
        "named",
        "renamed;rebranded;rechristened;retitled;changed;new name;goes by;has become",
        rf"(?P<s>.+?) {_DID}(?:renamed|rebranded|rechristened|retitled|changed (?:its|his|her"
        rf"|their) (?:\w+ )?name(?: from .+?)? to|given the (?:new )?name|now goes by)"
        r"(?: (?:from .+? )?(?:to|as|into))? (?P<v>.+)",
        changed=True,
    ),
    telling(
        "venue",
        "take;held;meet;hosted;rehears;train;gather;perform",
        rf"(?P<s>.+?) (?:takes? place|(?:is|are) (?:being )?held|meets?|(?:is|are) hosted|rehearses?|trains?"
        rf"|practis\w+|gathers?|convenes?|performs?|will be held|will take place) (?:in|at|on) (?P<v>(?!{_DAYS}"
        rf"|\d).+)",
    ),
    *AGENTS,
)
WEAK = "weak "
"""Before a relation that may have several values unless the newer statement tells a change."""
