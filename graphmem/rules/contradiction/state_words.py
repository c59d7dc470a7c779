"""The words by which states are told that have one value at a time (`rules.contradiction.states`)."""

import re

from graphmem.rules.contradiction.agents import AGENTS, ANY_AGENT, telling

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
_TIME = (
    r"(?:the )?(?:\d{1,2} )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january"
    r"|february|march|april|may|june|july"
    r"|august|september|october|november|december|\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?|spring|summer|autumn|winter)\b.*"
)
_DATE = (
    r"(?:the )?(?:(?:early|mid|late|\d{1,2}(?: of)?)[ -])?(?:january|february|march|april|5|june|july|august|september"
    r"|october|november|december)\b.*"
)
_SHIFTED = (
    r"(?:moved|postponed|pushed|put off|rescheduled|delayed|brought forward|shifted|slipped|changed|switched)"
    r"(?: (?:back|out|forward|up|over))?(?: from .{1,30}?)?"
)
_SET = (
    r"(?:went|gone|goes|rose|risen|dropped|fell|fallen|climbed|grew|grown|shrank|raised|lowered|cut|increased|reduced"
    r"|changed|switched|moved|set|bumped|adjusted|updated|upped|doubled|halved|corrected)(?: (?:up|down|back))?"
    r"(?: from .{1,30}?)?"
)
_GAVE = (
    r"(?:moved|passed|went|gone|transferred|handed(?: over)?|given|reassigned|assigned|switched)"
    r"(?: from .{1,40}?)?(?: over)?"
)
_OFFICE = (
    r"(?:(?:world |european |global |national )?headquarters|head office|main office|registered office|seat|base"
    r"|premises|office|practice|surgery|studio|workshop)"
)
_NEW = r"(?:(?:new|current|second|present) )*"
_PARTNER = r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?)"
_SCHOOL = (
    r"\b(?:primary|grammar|elementary|comprehensive|st\.? \w+'s|school|college|university|academy|kindergarten"
    r"|nursery|gymnasium|creche|lyceum|institute)\b"
)
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
    telling("home", "home", r"(?P<s>.*?)\bcalls? (?P<v>.+) home"),
    telling("home", "home is", r"(?P<s>.*?)'s (?:new |current )?home is (?:in )?(?P<v>.+)"),
    telling("home", " in ", rf"(?P<s>[^ ]+) {_IS}in (?P<v>[^ ]+)"),
    telling(
        "home",
        "mov;relocat;emigrat",
        rf"(?P<s>.*?)\b{_DID}(?:moved|relocated|emigrated|moves|relocates)(?: back| out| over| away| house| home)*"
        r"(?: from .{1,40}?)? (?:to|into) (?P<v>.+)",
        changed=True,
    ),
    telling(
        "work",
        "work;employ",
        r"(?P<s>.*?)\b(?:works?|(?:is|are|has been|have been) (?:now |currently )?(?:working|employed))"
        r"(?: as (?:an? )?[\w -]{2,30}?)? (?:at|for|by) (?P<v>.+)",
    ),
    telling("work", "employer", r"(?P<s>.*?)'s (?:new |current )?employer is (?P<v>.+)"),
    telling(
        "work",
        "join;start;hired;job;is now",
        rf"(?P<s>.*?)\b(?:{_DID}(?:joined|joins|started (?:work(?:ing)? )?(?:at|for|with)|hired by"
        r"|(?:started|took|found|got"
        r"|landed|accepted) (?:a|her|his|their) (?:new )?job (?:at|with))|is now (?:at|with)) (?P<v>.+)",
        changed=True,
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
        "boss",
        "manager;boss;supervisor",
        r"(?P<v>.*?) is (?P<s>[^ ]+)'s (?:new |line |direct |immediate )*(?:manager|boss|supervisor)",
    ),
    telling(
        "boss",
        "manager;boss;supervisor",
        r"(?P<s>my|our) (?:new |line |direct |immediate )*(?:manager|boss|supervisor) is (?:now )?(?P<v>.+)",
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
        "'s desk;'s workplace;'s seat",
        r"(?P<s>.+?)'s (?:desk|workplace|seat) is (?:now )?(?:in|on|at) (?:the |an? |our )?"
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
    telling(
        "tool",
        "switch;mov;migrat;chang;port;transfer",
        rf"(?:our |the )?(?P<s>[\w' -]+?) {_DID}(?:switched|moved|migrated|changed|ported|transferred)(?: over)?"
        r"(?: from .+?)? (?:to|into|onto) (?P<v>.+)",
        changed=True,
    ),
    telling("owner", "owned by", rf"(?P<s>.*?)\b{_IS}owned by (?P<v>.+)"),
    telling("owner", "belong", r"(?P<s>(?:it|(?:the |our |its |[^ ]+'s ).*?))\b ?belongs? (?:now )?to (?P<v>.+)"),
    telling("owner", "belong", r"(?P<s>[^ ]+(?: [^ ]+)? \d+) belongs? (?:now )?to (?P<v>.+)"),
    telling("owner", "owner", r"(?P<s>.*?)'s (?:new |current )?owner is (?P<v>.+)"),
    telling("owner", "owner", r"(?:the )?(?:new |current )?owner of (?P<s>.+?) is (?P<v>.+)"),
    telling("owner", "owner", r"(?P<v>.+?) is the (?:new |current )?owner of (?P<s>.+)"),
    telling("owner", "owner", rf"ownership of (?P<s>.+?) {_DID}{_GAVE} to (?P<v>.+)", changed=True),
    telling(
        "owner",
        "hand;transfer;assign",
        rf"(?P<s>.*?)\b(?:was|were|has been|have been|got) {_BETWEEN}(?:handed(?: over)?|transferred|reassigned)"
        r"(?: from .{1,40}?)? to (?P<v>.+)",
        changed=True,
    ),
    telling(
        "owner",
        "took;taken",
        rf"(?P<v>.+?) {_DID}(?:took|taken) (?:over|ownership of|charge of) (?P<s>(?!as ).+)",
        changed=True,
    ),
    telling("maintainer", "maintain", rf"(?P<s>.*?)\b{_IS}(?:maintained|looked after) by (?P<v>.+)"),
    telling(
        "role",
        " is ",
        rf"(?:the |our )?(?:new |current )?(?P<s>{_ROLES})(?: (?:of|at|for) (?P<o>.+?))? is (?:now )?(?P<v>.+)",
    ),
    telling("role", " is ", rf"(?:the |our )?(?P<o>[^ ]+)'s (?:new |current )?(?P<s>{_ROLES}) is (?:now )?(?P<v>.+)"),
    telling(
        "role", " is ", rf"(?P<v>.+?) {_IS}(?:the|our|their) (?:new |current |acting |interim )?(?P<s>{_ROLES}){_OF}"
    ),
    telling(
        "role",
        " is ",
        rf"(?P<v>.+?) {_IS}(?:the |our )?(?P<o>[^ ]+)'s (?:new |current |acting |interim )?(?P<s>{_ROLES})",
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
        "role",
        "appoint;elect;named;hired;chosen;chose;made",
        rf"(?P<o>[^ ]+(?: [^ ]+){{0,3}}?) (?:has |have )?(?:appointed|elected|named|hired|chosen|chose|made) (?P<v>.+?)"
        rf" (?:as )?(?:(?:its|their|our|the) )?(?:new )?(?P<s>{_ROLES})",
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
    telling("port", "port", rf"(?P<s>.*?)\bport {_DID}{_SET} to (?P<v>\d+)", changed=True),
    telling(
        "amount",
        "is ;are ;cost;at ;to ;weigh;measur;reach",
        r"(?P<s>.*?)\b(?:weighs|measures|has reached|(?:is|are) (?:up|down) to|is|are|costs?|amounts to|stands at"
        r"|comes to|is priced at|is set to|is at) "
        r"(?P<v>\S*\d\S*(?: \S+){0,3})",
    ),
    telling("amount", "to ", rf"(?P<s>.*?)\b{_DID}{_SET} (?:by \S+ )?to (?P<v>\S*\d\S*(?: \S+){{0,3}})", changed=True),
    telling(
        "time",
        " on ; at ; in ; for ;every",
        r"(?P<s>.*?)\b(?:is|are|happens?|takes? place|meets?"
        r"|(?:is|are) (?:planned|scheduled|set|due|booked|held|slated))"
        rf" (?:on|at|in|for|every) (?P<v>{_TIME})",
    ),
    telling(
        "date",
        " on ; in ; for ",
        rf"(?P<s>.*?)\b(?:is|are) (?:planned |scheduled |set |due |booked |slated )?(?:on|in|for) (?P<v>{_DATE})",
    ),
    telling("date", "to ", rf"(?P<s>.*?)\b{_DID}{_SHIFTED} (?:to|until) (?P<v>{_DATE})", changed=True),
    telling("time", "to ", rf"(?P<s>.*?)\b{_DID}{_SHIFTED} (?:to|until) (?P<v>{_TIME})", changed=True),
    telling(
        "means",
        "use;using;on",
        r"(?P<s>.*?)\b(?:uses?|is using|are using|rel(?:y|ies) on) (?P<v>.+?) (?:as (?:its |the |our )?|for )(?P<o>.+)",
    ),
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
        "settled;home in",
        r"(?P<s>.+?) (?:has )?(?:settled(?: down)?|(?:makes|made) (?:his|her|their|its) (?:new )?home) (?:in|at"
        r"|near) (?P<v>.+)",
        changed=True,
    ),
    telling(
        "home",
        "office;headquarter;premises; seat; base; home",
        rf"(?P<s>.+?) {_DID}(?:moved|relocated|transferred|shifted) (?:its|their"
        rf"|the) {_OFFICE}(?: from .+?)? to (?P<v>.+)",
        changed=True,
    ),
    telling(
        "work",
        "employed;job with;job at;staff;payroll;works with;working for",
        rf"(?P<s>.+?) (?:{_IS}(?:employed (?:by|at|with)|on the (?:staff|payroll) of|working (?:at|for|with))"
        r"|(?:has|holds) a (?:\w+ )?(?:job|position|post) (?:at|with)) (?P<v>.+)",
    ),
    telling("work", "employer", r"(?:the )?employer of (?P<s>.+?) is (?P<v>.+)"),
    telling("work", "employs", r"(?P<v>.+?) employs (?P<s>[^ ]+)(?: as .+)?"),
    telling(
        "job",
        "works as;working as;profession;trade;occupation; job ;living;earns",
        rf"(?P<s>.+?) (?:(?:works|{_IS}working|earns (?:his|her|their) (?:living|money)|makes (?:a|his|her"
        rf"|their) living) as|is (?=[^,]+ by (?:profession|trade)))"
        r" (?P<v>an? [\w -]+?)(?: by (?:profession|trade)| (?:at|for|in|on|with) .+)?",
    ),
    telling(
        "job",
        "profession;occupation; job ;job title",
        r"(?P<s>.+?)'s (?:new |current )?(?:profession|occupation|job|job title) is (?P<v>.+)",
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
    telling("job", " is an; is a ", rf"(?P<s>.+?) is (?P<v>an? {_JOB}) (?:at|for|with) .+"),
    telling("weak job", " is an; is a ", rf"(?P<s>.+?) is (?P<v>an? {_JOB})(?: (?:at|for|in|on|with) .+)?"),
    telling(
        "partner",
        "married to;engaged to;dating;going out with;relationship with;together with;couple with",
        rf"(?P<s>.+?) (?:{_IS}(?:happily )?(?:married to|engaged to|dating|going out with|in a relationship with"
        rf"|together with"
        r"|seeing|a couple with)) (?P<v>.+)",
    ),
    telling(
        "partner",
        "wife;husband;spouse;partner;girlfriend;boyfriend;fianc",
        rf"(?P<s>.+?)'s {_NEW}{_PARTNER} is (?P<v>.+)",
    ),
    telling(
        "partner",
        "wife;husband;spouse;partner;girlfriend;boyfriend;fianc",
        rf"(?P<v>.+?) is (?P<s>.+?)'s {_NEW}{_PARTNER}",
    ),
    telling(
        "partner",
        "married;engaged to;remarried",
        r"(?P<s>(?!.*\b(?:was|were|had been) (?:married|engaged)).+?) (?:has |have )?(?:got |gotten |been )?(?:just )?"
        r"(?:re)?(?:married|engaged)(?: to)? (?!name"
        r"|life|couple)(?P<v>.+)",
        changed=True,
    ),
    telling(
        "school",
        "goes to;attend;is at;stud;pupil;enrolled;place at;moved;switched;changed;transferred;started;gone over",
        rf"(?P<s>.+?) (?:goes to|attends|is at|studies at|is studying at|is (?:a|an|now a) (?:pupil|student"
        rf"|undergraduate|freshman) (?:at|of)"
        rf"|is enrolled (?:at|in)|has a place at) (?P<v>.*{_SCHOOL}.*)",
    ),
    telling(
        "school",
        "goes to;attend;is at;stud;pupil;enrolled;place at;moved;switched;changed;transferred;started;gone over",
        rf"(?P<s>.+?) {_DID}(?:moved|switched|changed|transferred|started|enrolled|gone over)(?: from .+?)? (?:to|at"
        rf"|in) (?P<v>.*{_SCHOOL}.*)",
        changed=True,
    ),
    telling("born", "was born;were born", r"(?P<s>.+?) (?:was|were) born in (?P<v>[^\d]+)"),
    telling("born", "birthplace;place of birth", r"(?P<s>.+?)'s (?:birthplace|place of birth) is (?P<v>.+)"),
    telling("birthday", "was born on", r"(?P<s>.+?) (?:was|were) born on (?P<v>.+)"),
    telling("birthday", "birthday;date of birth", r"(?P<s>.+?)'s (?:birthday|date of birth) is (?:on )?(?P<v>.+)"),
    telling(
        "price",
        " free;nothing",
        r"(?P<s>.+?) (?:is|are|costs?)(?: now| still)? (?P<v>free|nothing)(?: of charge)?(?P<o> (?:for|on|in|at"
        r"|during) .+)?",
    ),
    telling("price", "charged", rf"(?P<o>.+?) (?:is|are) charged (?P<v>{_MONEY}) for (?P<s>.+)"),
    telling(
        "price",
        "wants;asks;asking",
        r"(?:the )?(?:seller|owner|dealer|vendor|shop|landlord) (?:wants|asks"
        r"|is asking) (?P<v>\d[\d.,]*(?: \w+)?) for (?P<s>.+)",
    ),
    telling("price", "price of", r"(?:the )?price of (?P<s>.+?) is (?P<v>\d[\d.,]*)"),
    telling("price", "charges", rf"(?P<s>.+?) charges (?P<v>{_MONEY})(?P<o> (?:an?|on|in|at|during) .+)?"),
    telling(
        "price",
        "cost;priced;goes for;sells for;sold for; is ; are ;comes to;charged;available for;sets you back",
        rf"(?P<s>.+?) (?:costs?|(?:is|are) (?:now )?(?:priced at|sold for|charged at|available for|to be had for)"
        rf"|goes for"
        rf"|go for|sells? for|comes? to|sets you back|is|are) {_ABOUT}(?P<v>{_MONEY})(?P<o> .+)?",
    ),
    telling(
        "price",
        "pay;charge",
        rf"(?P<o>.*?)(?:you|one|visitors|guests|customers|people|they|we|members) (?:have to )?(?:pay|pays|charge"
        rf"|are charged|is charged) {_ABOUT}(?P<v>{_MONEY}) (?:for|to) (?P<s>.+)",
    ),
    telling(
        "price",
        "charges;takes;asks;wants",
        rf"(?P<o>.+?) (?:charges|takes|asks|wants) {_ABOUT}(?P<v>{_MONEY}) (?:for|per) (?P<s>.+)",
    ),
    telling(
        "price",
        "price;fee;cost;charge;fare;rate",
        rf"(?:the )?(?:price|fee|cost|charge|fare|rate) (?:of|for) (?P<s>.+?) (?:is|has been|amounts to"
        rf"|comes to) {_ABOUT}(?P<v>{_MONEY})(?P<o> .+)?",
    ),
    telling(
        "price",
        "price;fee;cost;charge;fare;rate;costs",
        rf"(?:the )?(?:price|fee|cost|charge|fare|rate) (?:of|for) (?P<s>.+?) "
        rf"{_DID}{_SET} to (?P<v>{_MONEY})(?P<o> .+)?",
        changed=True,
    ),
    telling(
        "earns",
        "earn;paid;salary;pay;wage;makes",
        rf"(?P<s>.+?)(?: (?:earns?|makes|is paid|gets|takes home)|'s (?:salary|pay|wage"
        rf"|income) is) {_ABOUT}(?P<v>{_MONEY})(?P<o> .+)?",
    ),
    telling(
        "seats",
        "seat;hold;room for;space for;accommodat;sleeps;fits;places for;beds for;licensed for;capacity",
        rf"(?P<s>.+?) (?:seats?|holds?|accommodates?|sleeps|fits|(?:can|could) (?:seat|hold|take|fit|accommodate)"
        rf"|(?:has|have|offers?|there is) (?:room|space|seats|seating|places|beds) for|is licensed for"
        rf"|has a capacity of) {_ABOUT}(?:up to )?(?P<v>\d+)(?: .+)?",
    ),
    telling(
        "seats",
        "seats;places;beds",
        rf"(?P<s>.+?) (?:has|have|offers) {_ABOUT}(?P<v>\d+) (?:seats|places|beds)(?: .+)?",
    ),
    telling("seats", "capacity", r"(?:the )?(?:seating )?capacity of (?P<s>.+?) is (?P<v>\d+)(?: .+)?"),
    telling("seats", "capacity", r"(?P<s>.+?)'s (?:seating )?capacity is (?P<v>\d+)(?: .+)?"),
    telling(
        "count",
        "consist;made up;compris;count;number;grown;grew;shrunk;shrank;down to;up to; of ;employs",
        rf"(?P<s>.+?) (?:consists? of|is made up of|comprises?|counts|numbers|{_DID}(?:grown|grew|shrunk|shrank"
        rf"|expanded) to|is (?:down|up) to|employs) {_ABOUT}(?P<v>\d+ [\w-]+)(?: .+)?",
    ),
    telling("count", " has ; have ", rf"(?P<s>.+?) (?:has|have) {_ABOUT}(?P<v>\d+ {_PEOPLE})"),
    telling("weak count", " has ; have ", rf"(?P<s>.+?) (?:has|have) {_ABOUT}(?P<v>\d+ [\w-]+)"),
    telling("count", "there are ;there is ", rf"there (?:are|is) {_ABOUT}(?P<v>\d+ [\w-]+) (?:in|on|at) (?P<s>.+)"),
    telling(
        "version",
        "version;release; v",
        r"(?P<s>.+?) (?:is|are|runs?|uses?|is running|stands)(?: still| now)? (?:(?:at|on) )?(?:the )?(?:version"
        r"|release|v)(?: number)? ?(?P<v>\d[\w.]*)",
    ),
    telling(
        "version",
        "version;release",
        r"(?:the )?(?:current |latest |installed )?(?:version|release) of (?P<s>.+?) is (?P<v>\d[\w.]*)",
    ),
    telling("version", "version;release", r"(?P<s>.+?)'s (?:current |latest )?(?:version|release) is (?P<v>\d[\w.]*)"),
    telling(
        "version",
        "upgraded;updated;bumped;downgraded;moved;rolled back",
        rf"(?P<s>.+?) {_DID}(?:upgraded|updated|bumped|downgraded|moved|rolled back)(?: from .+?)? to (?:version "
        rf"|release |v)?(?P<v>\d[\w.]*)",
        changed=True,
    ),
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
    telling("named", "name", r"(?P<s>.+?)'s (?:new |official |full )?(?:name|title) is (?:now )?(?P<v>.+)"),
    telling(
        "named",
        "name",
        r"(?P<s>.+?) (?:bears|carries|has|goes by|goes under|trades under|operates under"
        r"|sails under) the name (?:of )?(?P<v>.+?)(?: since .+)?",
    ),
    telling(
        "club", "plays for;play for;signed with", r"(?P<s>.+?) (?:plays|is playing|is signed) (?:for|with) (?P<v>.+)"
    ),
    telling(
        "club",
        "transferred;moved;switched;signed",
        rf"(?P<s>.+?) {_DID}(?:transferred|moved|switched|signed)(?: from .+?)? (?:to|for|with) (?P<v>.+)",
        changed=True,
    ),
    telling(
        "until",
        "end;expire;run;valid;last;finish;due",
        rf"(?P<s>.+?) (?:ends?|expires?|runs out|runs until|is valid until|lasts until|finishes|runs to"
        rf"|goes on until) ?(?:in|on|at)? ?(?P<v>{_DATE}|\d{{4}})",
    ),
    telling(
        "extent",
        "long;cover;stretch;extend;measure",
        r"(?P<s>.+?) (?:is|are|covers?|measures?|stretches for|extends for) (?P<v>\d+(?:\.\d+)?(?:km|m|cm|miles?"
        r"|metres?|meters?|yards?|feet|ft))(?: long| in length)?",
    ),
    telling(
        "count",
        "staff of;workforce of;team of;crew of;membership of",
        r"(?P<s>.+?) has an? (?:staff|workforce|team|crew|membership) of (?P<v>\d+)",
    ),
    telling("price", "pay", rf"(?P<o>.+?) (?:(?:have to|has to|must|now) )*pays? (?P<v>{_MONEY}) (?:for|to) (?P<s>.+)"),
    telling(
        "time",
        "mov;shift;chang;postpon;reschedul",
        rf"(?P<s>.+?) {_DID}(?:moved|shifted|changed|postponed|rescheduled) (?:its|his|her|their"
        rf"|the) (?P<o>[\w ]+?) (?:from .+? )?to (?P<v>{_TIME})",
        changed=True,
    ),
    telling(
        ANY_AGENT,
        "tak",
        r"(?P<v>.+?) (?:has |have )?(?:took|taken) (?:over|charge of|over responsibility "
        r"for) (?P<s>(?!as ).+?)(?: from .+)?",
        changed=True,
    ),
    telling(
        ANY_AGENT,
        "responsibility;care of;charge of",
        rf"(?:the )?(?:responsibility|care|charge) (?:for|of) (?P<s>.+?) {_DID}(?:passed|moved|handed(?: over)?"
        rf"|transferred|gone|went)(?: on)? to (?P<v>.+)",
        changed=True,
    ),
    telling(
        "means",
        " on ; with ; via ; through ; over ; using ",
        r"(?P<s>(?!(?:he|she|it|they)\b).+?) (?P<o>(?!is\b|has\b|was\b|does\b)[a-z]+s)"
        r" (?:on|with|via|through|over|using) (?P<v>[^ ]+(?: [^ ]+){0,2})",
    ),
    telling(
        "means",
        "mov;switch;migrat;chang;port",
        rf"(?P<s>.+?) {_DID}(?:moved|switched|migrated|changed|ported|converted) (?:its|his|her|their|the|all|our)"
        r" (?P<o>.+?) (?:from .+? )?(?:to|onto|over to) (?P<v>.+)",
        changed=True,
    ),
    telling("thing", "'s ", r"(?P<s>.+?)'s (?:new |old |current )?(?P<o>[\w-]+) is (?P<v>[^ ]+(?: [^ ]+){0,3})"),
    telling(
        "thing",
        "replaced;swapped;exchanged;upgraded;traded;changed",
        rf"(?P<s>.+?) {_DID}(?:replaced|swapped|exchanged|upgraded|traded(?: in)?|changed) (?:its|his|her|their)"
        r" (?P<o>[\w-]+) (?:with|for|to|by) (?P<v>.+)",
        changed=True,
    ),
    telling(
        "position",
        " is ;became;become;promoted;named;elected;appointed",
        r"(?P<s>[^ ]+(?: [^ ]+)?) (?:is|became|has become|was (?:promoted to|made|named|elected|appointed)"
        r"|has been (?:promoted to|made|named|elected|appointed)) (?:now )?(?:an? "
        r"|the )?(?P<v>(?:[\w-]+ ){0,2}[\w-]+) (?P<o>(?:at|of|in) .+)",
    ),
    telling(
        "charge",
        "person to;one to",
        r"(?:for|about|with) (?P<s>.+?),? (?P<v>[^ ]+(?: [^ ]+)?) is the (?:person|one|man|woman"
        r"|colleague) to (?:ask|call|contact|turn to|talk to|see|go to|write to)",
    ),
    telling(
        "charge",
        "person to;one to",
        r"(?:the )?(?:person|one|man|woman|colleague) to (?:ask|call|contact|turn to|talk to|see|go to"
        r"|write to) (?:about|for|with) (?P<s>.+?) is (?P<v>.+)",
    ),
    telling(
        "charge",
        "person to;one to",
        r"(?P<v>[^ ]+(?: [^ ]+)?) is the (?:person|one|man|woman|colleague) to (?:ask|call|contact|turn to|talk to"
        r"|see|go to|write to) (?:about|for|with) (?P<s>.+)",
    ),
    telling(
        "named",
        "calls itself;call themselves;calls himself;calls herself",
        r"(?P<s>.+?) calls? (?:itself|themselves|himself|herself) (?P<v>.+)",
    ),
    telling(
        "named",
        "published under;known under;listed under;sold under",
        r"(?P<s>.+?) is (?:now )?(?:published|known|listed|sold|registered) under the name (?P<v>.+)",
    ),
    telling(
        "named",
        "new name",
        r"(?P<s>.+?) (?:got|has|has got|was given|received) (?:a|its|the) new name,?:? (?P<v>.+)",
        changed=True,
    ),
    telling(
        "named",
        "renamed;rechristened;rebranded",
        r"(?!.*\b(?:was|were|been|is|are) re)(?:[^ ]+ ){1,4}?(?:renamed|rechristened|rebranded) (?P<s>(?:the|our|my"
        r"|his|her|its|their) [\w' -]+?) (?:to |as |into )?(?P<v>[^ ]+(?: [^ ]+)?)",
        changed=True,
    ),
    telling(
        "named",
        "name;title",
        r"(?P<s>.+?)'s (?:\w+ )?name (?:has become|became|was changed to|has been changed to|changed to) (?P<v>.+)",
        changed=True,
    ),
    telling("named", "is the name of", r"(?P<v>.+?) is the (?:new |official )?(?:name|title) of (?P<s>.+)"),
    telling(
        "named",
        "changed the name;changed the title",
        r"(?:.+? )?(?:have |has |'ve )?changed the (?:name|title) of (?P<s>.+?) to (?P<v>.+)",
        changed=True,
    ),
    telling(
        "named",
        "'s name to;'s title to",
        r"(?:.+? )?(?:have |has |'ve )?changed (?:the )?(?P<s>.+?)'s (?:name|title) to (?P<v>.+)",
        changed=True,
    ),
    telling("weak named", "goes by;go by", r"(?P<s>.+?) (?:now )?(?:goes|go) by (?:the name )?(?:of )?(?P<v>.+)"),
    telling(
        "place",
        " under ; behind ; with ",
        r"(?P<s>(?:the|my|our|his|her|their|its|[^ ]+'s) .+?) (?:is|are|hangs|lies|stands|sits|is kept"
        r"|are kept) (?:under|behind|with|underneath) (?P<v>(?:the|my|our|his|her|their|an?|[^ ]+'s) .+)",
    ),
    telling(
        "weak place",
        " in ; on ; at ",
        r"(?P<s>(?:the|my|our|his|her|their|its|[^ ]+'s) .+?) (?:is|are|hangs|lies|stands|sits|is kept"
        r"|are kept) (?:in|on|at|inside) (?P<v>(?:the|my|our|his|her|their|an?|[^ ]+'s) .+)",
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
        "begin",
        "start;begin;kick;open;run;depart;leav;set",
        r"(?P<s>.+?) (?:starts?|begins?|kicks? off|gets? going|commences?|is kicked off|is started"
        r"|opens?(?: its doors)?|runs?|(?:is|are) run|departs?|leaves?|sets? off)(?: (?:nightly|daily|every \w+"
        r"|each \w+))? (?:at|from) (?P<v>\d\S*)(?: (?:nightly|daily|every \w+|each \w+))?",
    ),
    telling(
        "end",
        "end;finish;close;until;over at",
        r"(?P<s>.+?) (?:ends?|finishes|closes|is over|shuts|is open until|lasts until|goes on until|runs until"
        r"|have \w+ until) (?:at )?(?P<v>\d\S*)",
    ),
    telling(
        "begin",
        "opening time;opening hour;starting time;start time",
        r"(?P<s>.+?) (?:has |have )?(?:recently |now )?(?:changed|moved|shifted) (?:its|their|the) (?:opening|start"
        r"|starting)"
        r" (?:time|hour)s?(?: from .+?)? to (?P<v>\d\S*)",
        changed=True,
    ),
    telling(
        "end",
        "closing time;closing hour;finishing time;end time",
        r"(?P<s>.+?) (?:has |have )?(?:recently |now )?(?:changed|moved|shifted) (?:its|their|the) (?:closing"
        r"|finishing|end)"
        r" (?:time|hour)s?(?: from .+?)? to (?P<v>\d\S*)",
        changed=True,
    ),
    telling(
        "due",
        "due;deadline;hand",
        rf"(?P<s>.+?) (?:is|are) (?:due|to be handed in|to be delivered|to be submitted) (?:on|by|in) (?P<v>{_TIME})",
    ),
    telling(
        "due",
        "deadline;due date",
        rf"(?:the )?(?:deadline|due date|closing date) (?:for|of) (?P<s>.+?) is (?P<v>{_TIME})",
    ),
    telling(
        "due",
        "deadline;due date",
        rf"(?:the )?(?:deadline|due date|closing date) (?:for|of) (?P<s>.+?) {_DID}"
        rf"(?:extended|{_SHIFTED[3:]} (?:to|until) (?P<v>{_TIME})",
        changed=True,
    ),
    telling(
        "lasts",
        "last;take;long;duration;run",
        r"(?P<s>.+?) (?:lasts?|takes?|runs? for|goes on for|is|are) (?P<v>\d+(?:\.\d+)?(?:s|mo|seconds?|minutes?"
        r"|hours?|days?|weeks?|months?|years?)\b)(?: long)?",
    ),
    telling("lasts", "duration;length", r"(?:the )?(?:duration|length|running time) of (?P<s>.+?) is (?P<v>\d\S*)"),
    telling(
        "kept",
        "keep;store;kept;stored;saved;archiv",
        r"(?P<s>.+?) (?:keeps?|stores?|saves?|archives?|files?|holds?) (?:its|his|her|their|the|all"
        r"|our) (?P<o>.+?) (?:in|on|at|with) (?P<v>.+)",
    ),
    telling(
        "kept",
        "live in;lives in;held in;kept in;are in",
        r"(?P<o>.+?) (?:in|of) (?P<s>.+?) (?:live|lives|are held|are kept|are) (?:in|on) (?P<v>.+)",
    ),
    telling(
        "kept",
        "kept;stored;saved;archived;filed",
        r"(?P<s>.+?) (?:is|are|get|gets) (?:kept|stored|saved|archived|filed|held) (?:in|on|at|with) (?P<v>.+)",
    ),
    telling(
        "kept",
        "mov;switch;migrat;transfer;relocat",
        rf"(?P<s>.+?) {_DID}(?:moved|switched|migrated|transferred|relocated|shifted) (?:its|his|her|their|the|all"
        rf"|our) (?P<o>.+?) (?:from .+? )?(?:to|into|onto|over to) (?P<v>.+)",
        changed=True,
    ),
    telling(
        "venue",
        "take;held;meet;hosted;rehears;train;gather;perform",
        rf"(?P<s>.+?) (?:takes? place|(?:is|are) (?:being )?held|meets?|(?:is|are) hosted|rehearses?|trains?"
        rf"|practis\w+|gathers?|convenes?|performs?|will be held|will take place) (?:in|at|on) (?P<v>(?!{_DAYS}"
        rf"|\d).+)",
    ),
    telling("venue", "venue;location", r"(?:the )?(?:venue|location) (?:of|for) (?P<s>.+?) is (?P<v>.+)"),
    telling(
        "venue",
        "moved;relocated;shifted;transferred",
        rf"(?P<s>.+?) {_DID}(?:moved|relocated|shifted|transferred)(?: from .+?)? (?:to|into) (?P<v>(?!{_DAYS}|\d"
        rf"|the \d).+)",
        changed=True,
    ),
    *AGENTS,
)
RELATIONS = frozenset(telling.relation.removeprefix("weak ") for telling in TELLINGS)
WEAK = "weak "
"""Before a relation that may have several values unless the newer statement tells a change."""
NUMBERED = frozenset({"extent", "until", "price", "earns", "seats", "count", "version", "begin", "end", "lasts"})
"""Relations with a number as value."""
