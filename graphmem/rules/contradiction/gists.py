"""What a statement says in whatever order and by whatever verb, as a bag of words of several sorts.

`rules.contradiction.laying` keeps the order of the words, so that two statements can be laid side by side; both must go
along in one order then. Here a statement is what it is about, its amounts and times, its words of a kind
(`rules.contradiction.alike`), its names, and what it says is over or gone. `rules.contradiction.exclusion` compares two
of them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from graphmem.rules.contradiction import antonyms as table
from graphmem.rules.contradiction.alike import HAD, KINDS, LIGHT, MOVERS, PHRASES, PHRASES_BY_MARK, ROLES, SAME
from graphmem.rules.contradiction.laying import SCRIPTED, Laid, is_participle, key_of, lay
from graphmem.rules.contradiction.single_valued import HOLDERS, MANY, PLACED
from graphmem.rules.language.stems import stem, stems, word_set
from graphmem.rules.language.text import words as words_of

_MONTHS = table.MONTH_NAMES
_SPAN = (
    rf"(?:today|season|week|month|year|term|semester|quarter|sprint|spring|summer|autumn|winter|monday|tuesday"
    rf"|wednesday"
    rf"|thursday|friday|saturday|sunday|\d{{1,2}} (?:{_MONTHS})|{_MONTHS}|morning|night|weekend|\d{{4}})"
)
_OPENING = re.compile(
    r"^(?:(?:(?:as of|since|from|starting|effective|beginning|with effect from|following|after|meanwhile"
    r"|in the meantime"
    r"|it turns out(?: that)?|at present|at the moment|by now|so far|for now|lately|these days|nowadays|today|yesterday"
    rf"|last \w+|this \w+|(?:early |late )?(?:in|on) (?:{_MONTHS}|5|\d{{4}}))\b[^,]{{0,40}}?, )"
    rf"|(?:as of|since|from|starting|beginning) (?:this |next |last |the (?:new |current )?)?{_SPAN}"
    r"(?: \d{4})?(?: on)? "
    r"|(?:meanwhile|these days|nowadays|so far|by now|lately|today|yesterday) "
    rf"|(?:last|this) {_SPAN} )+"
)
_CLOSING = re.compile(
    r"(?:,? (?:instead|again|now|these days|nowadays|at the moment|at present|currently|since (?:then|\w+(?: \d{4})?"
    r"|(?:last|this|the|her|his|their) [\w-]+)|as of (?:\w+|(?:this|last|next) \w+)|from now on|(?:last|this) "
    rf"{_SPAN}|after all|so far|for now|until further notice|effective immediately|from {_SPAN} on))+$"
)
_CHANGED = re.compile(
    r"\b(?:now|moved|relocated|switched|changed|transferred|replaced|repaired|fixed|became|become|turned"
    r"|(?:went|gone) (?:up|down|from|to|back|over)|raised|lowered|increased|decreased|reduced|cut|extended|shortened"
    r"|rescheduled|postponed|delayed|brought forward|pushed|shifted|swapped|upgraded|downgraded|bumped|set|reopened"
    r"|resumed|cancelled|canceled|finished|completed|appointed|elected|promoted|hired|taken over|took over"
    r"|handed|reverted|renamed|corrected|adjusted|updated|dropped|rose|risen|fell|fallen|grew|grown|planted|sold|closed"
    r"|got|returned|migrated|converted|graduated|married|divorced|died|recovered|bought|received|arrived|merged"
    r"|resolved"
    r"|delivered|had (?:her|the|a) baby|gave birth|found|retired|rewritten|rebuilt|scrapped|solved|lifted|approved"
    r"|rejected|joined|reassigned|doubled|halved|tripled|granted|changed)\b"
)
_ADDS = re.compile(
    r"\b(?:also|too|as well|another|additional(?:ly)?|besides|(?<=\ba )second|in addition|plus|either|sometimes"
    r"|alongside|apart from (?!\w+,? (?:no|nobody|nothing))"
    r"|occasionally|some|(?:not|but) all|half|most|many|few|several|part of|partly|partially|alternately|or|(?<!-)only"
    r"|just(?= \S+$)|and no other(?: \w+)?|exclusively|solely|sole|purely|(?:nothing|nobody|no one|none) (?:but"
    r"|except|other than)|and (?:nothing|nobody|no one|nowhere) else|both"
    r"|other than(?= .*\b(?:is|are|\w+s)\b)|other|except)\b"
)
_ONLY = dict.fromkeys(
    (
        "exclusively",
        "solely",
        "nothing but",
        "sole",
        "purely",
        "nothing except",
        "nothing other than",
        "nobody but",
        "nobody except",
        "no one but",
        "no one except",
        "none but",
        "and nothing else",
        "and nobody else",
        "and no one else",
        "and nowhere else",
        "other than",
        "apart from",
        "just",
        "and no other",
    ),
    "only",
)
_LIMITS = re.compile(
    r"\b(?:at least|at most|up to|more than|less than|over|under|about|around|roughly|almost|nearly|than)\b"
)
_GIVEN_UP = (
    r"(?:(?:has |have |had )?(?:dropped|abandoned|scrapped|shelved|gave up|given up|ditched|buried|binned|cancelled"
    r"|canceled|let go of"
    r"|called off|withdrawn|withdrew|put aside|gone off) (?:the |its |his |her |their |our |all |that |this "
    r"|any )?(?:\w+ )?"
    r"(?:plans?|idea|proposal|intention|thought|project|scheme|hopes?|dream)s?(?: (?:to|of|for|about))?"
    r"|(?:has |have |had )?(?:decided|chosen|opted|resolved|voted) (?:against|not to)|(?:has |have "
    r"|had )?changed (?:his|her|their|its|our|my) minds? about"
    r"|(?:has |have |had )?(?:thought better of|ruled out|backed out of|backed away from|pulled out of|reconsidered)"
    r"|(?:won't|will not|is not going to|isn't going to|are not going to|aren't going to|not going to) .+ after all"
    r"|no longer (?:plans?|intends?|wants?|means|hopes|aims|proposes)(?: to)?"
    r"|(?:is|are|was|were|has been|have been|got) (?:called off|scrapped|shelved|dropped|abandoned|cancelled"
    r"|canceled|off the table|ditched"
    r"|put on ice|put off indefinitely|voted down|turned down|rejected|axed|binned)|(?:will|won't) not? ?(?:go ahead"
    r"|happen|take place)|is off the table|not go(?:ing)? ahead)"
)
_OVER = re.compile(
    r"\b(?:(?:has |have |had )?(?:stopped(?! (?:at|in|near|for|off|outside|here|there)\b)|quit|ceased|given up"
    r"|gave up|discontinued)\b(?! by\b)"
    r"|(?:has |have |had )?(?:called off|withdrawn|withdrew|cancelled|canceled|revoked|ended|terminated|broken off"
    r"|discontinued) (?:the |its |his |her |their |our )"
    r"|(?:\w+ ){0,1}days (?=(?:are|is) (?:over|behind|gone|past))|(?:are|is) (?:over|behind \w+|gone|past)$"
    r"|(?:has |have )?(?<!is )(?<!are )(?<!was )(?<!were )(?<!be )(?<!been "
    rf")(?<!always )(?<!never )(?<!often ){table.LEFT}(?= (?:the|[a-z]))"
    r"|once (?:had|was|were|ran|sang|wore|taught|led|kept)\b"
    r"|(?<=is )(?:the |a |an |our |[\w-]+'s )?(?:former|ex|one-time|erstwhile)\b(?! \w+ (?:is|was|has)\b)"
    r"|,? (?:and |but )?not since$|no longer|used to|formerly|previously|any ?more|any longer"
    r"|(?<!at )once (?=\w+(?:ed|ld|nt|pt|ng|ve)\b)"
    r"|(?:,? (?:but|and) )?(?:that|it|this) is over\b|(?:,? but|,? and) not any ?more"
    r"|(?:is|are|was|were|has been|have been|got) (?:cancelled|canceled|called off|scrapped|shelved|dropped|abandoned"
    r"|discontinued|shut down|phased out|decommissioned|dissolved|disbanded)\b"
    rf"|{_GIVEN_UP}|(?:(?:has|have) (?:expired|run out|lapsed|ended|come to an end|died out|fallen through)|(?:has "
    rf"|have )?closed (?:down )?(?:its|their|his|her|our) |(?:ran out|expired|lapsed|came to an end)(?= (?:in|last"
    rf"|on|at|this) |$))\b"
    rf"|a thing of the past"
    r"|(?:'s )?(?:time|days|years|stint|spell|career|era|reign) (?:as|in|at|with|on) (?=.+ (?:is|are) (?:over|behind"
    r"|gone|past))|(?:is"
    r"|are) over$|(?:is|are) (?:history|no more)$"
    r"|(?:has|have|had)? ?(?:dropped|backed|pulled|opted|fallen) out of|withdr(?:ew|awn) from|got(?:ten)? rid of"
    r"|(?:has|have) parted with"
    r"|(?:has|have|had)? ?(?:turned (?:his|her|their|its) back on|said goodbye to|finished with|walked away from"
    r"|moved away from|done away with"
    r"|put an end to|weaned (?:him|her|them)self off|sworn off|swore off|cancelled|canceled|unsubscribed from"
    r"|closed down|laid down|let go of)"
    r"|(?:is|are) done with|(?:is|are|was|were|has been|have been) (?:axed|removed|taken (?:out|down|off|away)"
    r"|withdrawn"
    r"|ended|terminated"
    r"|retired|demolished|torn (?:out|down)|taken out of \w+|thrown out|given away|wound up|liquidated|revoked"
    r"|repealed|annulled|written off|filled in)\b"
    r"|fell through|came to nothing|is off$|(?:has|have) (?:vanished|disappeared|gone out of \w+))"
)
GIVEN_UP = re.compile(_GIVEN_UP)
_OVER_SINCE = re.compile(
    r"\b(?:until|till|up to|before|in (?:its|his|her|their) early (?:days|years)) ?(?:$|recently|lately"
    r"|last \w+(?: \w+)?|the \w+(?: of \w+)?|\w+(?: \w+){0,2}|\d{4}|giving (?:it|that|this|them) up|(?:it|he|she"
    r"|they|(?:the|her|his|its|their|our|my|a) [\w' -]{2,30}?)"
    r" (?:was|were|had|moved|closed|sold|died|retired|left|quit|broke|gave|stopped|changed|switched|ended|came|ran"
    r"|went|got|took|\w+ed)\b.{0,40})$"
)
"""In the past it says the same: "was a smith until the flood"."""
_OVER_MARKS = word_set(
    """stopped quit ceased given gave discontinued longer used formerly previously any anymore once over cancelled
    canceled called scrapped shelved dropped abandoned shut phased decommissioned dissolved disbanded expired
    run lapsed thing until till up before time days years stint spell career history ended end backed pulled
    opted fallen withdrew withdrawn got rid parted turned said finished walked away moved done put weaned sworn
    swore unsubscribed closed laid let axed removed taken switched off lifted terminated retired demolished torn
    thrown wound liquidated revoked repealed annulled written filled fell came vanished disappeared gone more
    ran came decided chosen resolved voted changed thought ruled out left behind former ex one-time erstwhile
    reconsidered after all ditched buried binned ice happen ahead table rejected"""
)
"""A text without any of these words says of nothing that it is over."""
_NOT = re.compile(r"(?:,|,? and|,? but) (?:and |but )?not \S+(?: \S+){0,5}$")
_BUT = re.compile(r",? (?:but|and now|and is now) .*$")
_GONE = (
    r"(?:has |have )?(?:retired|resigned|stepped down|moved on|passed away|died|departed|left|quit|been let go"
    r"|graduated)"
)
_LEAVES = tuple(
    (tuple(marks.split(",")), re.compile(pattern))
    for marks, pattern in (
        (
            " from ",
            r"^(?P<a>.*?)\b(?:took|taken|takes) over(?P<b> .*?)?\bfrom (?P<gone>.+?)(?P<came> (?:as|for|at) .+)?$",
        ),
        (
            " from ",
            r"^(?P<a>.*?)\b(?:handed|passed|transferred|given|went|gone|moved|switched|changed|promoted|demoted|reassigned|migrated"
            r"|converted|swapped|relocated|shifted|ported)(?: over| on| back| away)?(?P<b> .*?)? from (?P<gone>.+?)"
            r" (?:over )?to (?P<came>.+)$",
        ),
        (
            " replace, succeed, supersede, displace, relieve, oust",
            r"^(?P<a>.*?)\b(?:replaced|replaces|succeeded|succeeds|superseded|supersedes|displaced|ousted|relieved"
            r") (?!by |with )(?P<gone>.+?)(?P<b> (?:as|for|in|at|on|with|by) .+)?$",
        ),
        (
            " by , with ",
            r"^(?P<gone>.+?) (?:was|were|has been|have been|is|are) "
            r"(?:replaced|succeeded|superseded|relieved|displaced)"
            r"(?: (?P<b>(?:as|in|at) .+?))? (?:by|with) (?P<came>.+)$",
        ),
        (
            " for , with , favour , favor ",
            r"^(?P<a>.*?)\b(?:swapped|exchanged|traded(?: in)?|ditched|dropped|left|gave up|given up|abandoned|dumped"
            r"|sold) (?P<gone>.+?) (?:for|in favou?r of|with) (?P<came>.+)$",
        ),
        (
            " over ",
            r"^(?P<a>.*?)\b(?:chosen|chose|chooses|preferred|prefers|picked|selected|opted for|decided on|gone for"
            r"|went for)"
            r" (?P<came>.+?) over (?P<gone>.+)$",
        ),
        (
            "instead of ,rather than ,in place of ",
            r"^(?:instead of|rather than|in place of) (?P<gone>.+?),? (?P<a>(?:the|our|its|his|her|their|it|he|she"
            r"|they) .+)$",
        ),
        (
            " instead of, rather than, in place of, not ",
            r"^(?P<a>.*?)(?:,? (?:instead of|rather than|in place of|and not)|, not|,? but not) (?P<gone>.+)$",
        ),
        (
            " retired, resigned, stepped, moved on, passed, died, departed, left, quit, let go, graduated",
            rf"^(?P<a>.+?)[,;] (?:and |since |as |because |after |now that )?(?P<gone>.+?) {_GONE}\b.*$",
        ),
        (
            " retired, resigned, stepped, moved on, passed, died, departed, left, quit, let go, graduated",
            rf"^(?:since|after|now that|because) (?P<gone>.+?) {_GONE}\b[^,]*, (?P<a>.+)$",
        ),
        (
            ", and , so ",
            rf"^(?P<gone>[\w' -]+?) {_GONE}(?: [^,]{{0,30}})?, (?:and|so) (?:now )?(?P<a>.+)$",
        ),
        (
            " handed , passed , turned , given , gave , signed , transferred "
            ", delegated , ceded , entrusted , sold , left ",
            r"^(?P<gone>.+?) (?:has |have )?(?:handed|passed|turned|given|gave|signed|transferred|delegated|ceded"
            r"|entrusted|sold|left)(?! (?:[a-z'-]+ )?an? )"
            r"(?: over| on| down)? (?P<b>.+?)(?: over| on| down)? to (?P<came>.+)$",
        ),
        (
            " as , from ",
            r"^(?P<gone>.+?) (?:has |have )?(?:resigned|retired|stepped down|stepped back|withdrawn|departed)"
            r"(?P<b> (?:as|from) .+)$",
        ),
    )
)
"""Who or what is gone, and what else is spoken of. A text without any of the marks cannot match the pattern."""
_DEFINITE = re.compile(
    r"\b(?:the(?! \S+'s )|our|my|their|its|his|her|\w+'s) (?:new |current |main |head |present |latest )*([\w-]+)"
)
_NEVER = word_set("never no nobody none nothing")
_EVERY = word_set("all every everyone everybody everything always each nobody no nothing")
_NONE = word_set("nobody none no nothing neither")
_MOVES = re.compile(
    r"\b(?:(?P<place>moved|relocated|emigrated|moves|transferred|redeployed|reassigned)|migrated|switched(?! (?:on"
    r"|off|out))|changed|converted"
    r"|ported|went over|rewritten|rebuilt|shifted|went back|gone back|returned|has gone|upgraded|reverted)\b"
)
_LEADING = table.PREPOSITIONS - {"in", "on", "at", "for", "since", "after"} | {
    "below",
    "above",
    "before",
    "beyond",
    "only",
}


def _words_of(pattern: re.Pattern[str]) -> frozenset[str]:
    """The words that stand in a pattern: a text without any of them cannot match it."""
    return frozenset(re.findall(r"[a-z]{2,}", re.sub(r"\\\\[a-z]|\\[a-z]|\?P<\w+>", " ", pattern.pattern)))


_CHANGING = _words_of(_CHANGED) | _words_of(_MOVES)
_ADDING, _LIMITING = _words_of(_ADDS), _words_of(_LIMITS)
_LEAVING = word_set(
    """from replaced replaces succeeded succeeds superseded supersedes displaced ousted relieved swapped exchanged
    traded ditched dropped left gave given abandoned dumped sold instead rather place not retired over resigned stepped
    moved passed     died departed quit let graduated handed withdrawn turned signed delegated ceded entrusted"""
)
_ONLY_NOT = re.compile(
    r"\b(?:(?:nothing|nobody|no one|none) (?:but|except|other than|besides|apart from)|and (?:nothing|nobody|no one"
    r"|nowhere) else|and no other|^no (?:[\w-]+ ){1,3}(?:but|except|other than|besides|apart from))\b"
)
"""What says by a denial that there is one alone."""
_NO_ONE = re.compile(r"^(?:no|nobody|none|nothing|there(?:'s| is| are) (?:no|nobody|nothing|none))\b")


def _is_none(raw: str, denied: int) -> bool:
    """Whether none is left out: "no room is without a view"."""
    return denied == 2 and bool(_NO_ONE.match(raw))


_NOT_UN = re.compile(
    r"\b(?P<be>is|are|was|were|it's|he's|she's|'s|has been)(?:n't| not| never)(?: at all)? (?:un|in|im|il|ir|dis"
    r"|a)(?P<bare>[a-z]{4,})\b"
)
_TURNS = word_set(
    """employed happy safe valid possible known common usual stable available able active complete correct visible
    legal regular responsible reliable comfortable healthy clean tidy friendly fair kind lucky necessary popular
    pleasant polite patient perfect practical secure secured sure interested willing wise limited locked paid finished
    occupied loved married armed supervised attended guarded insured registered supported signed tested touched used
    wanted welcome written affordable bearable believable certain clear conscious dependent direct edible effective
    efficient equal expensive experienced familiar favourable fit frequent heard important intentional justified
    likely lit loaded manageable mistakable noticed official opened opposed ordinary prepared protected qualified
    reasonable recoverable related restricted satisfied sold solved successful suitable true typical usable vaccinated
    written honest loyal obedient satisfied connected enabled abled similar accurate adequate appropriate capable
    consistent convenient mature measurable mobile moral mortal movable mutable passable polite precise pure
    reversible rational relevant replaceable logical literate legible"""
)
"""Words that, denied with a prefix and with "not", are what they are without both."""
ROOT = 6
"""Letters by which nouns and verbs of one root are met."""
_VERBS = table.VERBS | PLACED | MANY | HOLDERS
_MONTH_WORDS = frozenset(_MONTHS.split("|")) - {"may"}
_NUMBERED_MONTHS = frozenset({"5"}) | {f"month{number:02}" for number in range(1, 13)}
_YEAR = re.compile(r"(?:19|20)\d\d")
_SOLELY = word_set("exclusively solely purely entirely additionally")
_SPELLED = word_set("two three four five six seven eight nine ten eleven twelve")
_ORDINALS = word_set("first second third fourth fifth sixth seventh eighth ninth tenth")
_EMPTY = table.EMPTY | table.PREPOSITIONS | word_set("it's there's people person everyone everybody someone somebody")
_MARKS = ".,:;!?\"'“”«»()"


@dataclass(frozen=True, slots=True)
class Gist:
    """A statement as a bag of keys.

    `words`: what it is about and says, but for what says only that there is something; `full`: that too. `subject` and
    `behind`: what of it stands before and behind the verb. `kinds`: by kind, the side and the word; `amounts`: key and
    sort; `under`: by word, the preposition before it. `over`: by which words it says that the rest holds no more;
    `left`: what it says is gone, and what else it speaks of. `bare`: who or what it is about is left out.
    """

    words: frozenset[str]
    full: frozenset[str]
    subject: frozenset[str]
    behind: frozenset[str]
    kinds: Mapping[int, tuple[int, str]]
    amounts: tuple[tuple[str, str], ...]
    names: frozenset[str]
    owners: frozenset[str]
    indefinite: frozenset[str]
    under: Mapping[str, str]
    verb: str
    definite: frozenset[str]
    bare: bool
    denied: int
    denies_all: bool
    every: bool
    moves: str
    past: bool
    changed: bool
    adds: frozenset[str]
    limits: frozenset[str]
    opens: str
    said: str
    over: str
    only_of: frozenset[str]
    left: tuple[frozenset[str], frozenset[str]] | None


@lru_cache(maxsize=4_096)
def gist(content: str) -> Gist:
    """The statement as a bag.

    >>> one = gist("As of this season the club trains on Thursdays instead.")
    >>> sorted(one.words), one.amounts
    (['club', 'train'], (('thursday', 'weekday'),))
    """
    laid = lay(content)
    text = _CLOSING.sub("", _OPENING.sub("", laid.text))
    over = None
    told = set(laid.raw.replace(",", " ").split())
    if not told.isdisjoint(_OVER_MARKS) and (
        over := (_OVER_SINCE.search(text) if laid.past or _was_until(text) else None) or _OVER.search(text)
    ):
        over = None if table.NOT_SO.search(text[: over.start()]) and not over[0].strip().startswith("any") else over
    if over is not None:
        text = _OVER_SINCE.sub(
            " ", _OVER.sub(" ", _BUT.sub("", text) if over.start() < text.find(" but ") else text)
        ).strip()
    if laid.denied and over is None and (turned := _NOT_UN.search(text)) and turned["bare"] in _TURNS:
        text = _NOT_UN.sub(r"\g<be> \g<bare>", text).replace(" abled", " enabled")
    for place in sorted({place for said in laid.said for place in PHRASES_BY_MARK.get(said, ())}):
        _, pattern, word = PHRASES[place]
        text = pattern.sub(word, text)
    cut = lay(text) if text != laid.text else laid
    return _gist(content, laid, cut, over[0].strip() if over else "", told)


_STANDS = re.compile(r"\b(?:is|are|has|have|will|can|may|must|does)\b")


def _was_until(text: str) -> bool:
    """Whether what stands before "until" is told in the past."""
    before = re.split(r"\b(?:until|till|up to|before)\b", text, maxsplit=1)[0]
    return not _STANDS.search(before) and any(is_participle(word) for word in words_of(before))


def _gist(content: str, whole: Laid, laid: Laid, over: str, told: set[str]) -> Gist:
    verb = _verb(laid, content[:1].islower())
    full: set[str] = set()
    found: list[tuple[str, int]] = []
    names: set[str] = set()
    owners: set[str] = set()
    under: dict[str, str] = {}
    kinds: dict[int, tuple[int, str]] = {}
    amounts: list[tuple[str, str]] = []
    capital = _capitals(content)
    leading = next((place for place, word in enumerate(laid.said) if word not in table.PREPOSITIONS), -1)
    before, last = "", ""
    for index, (said, key) in enumerate(zip(laid.said, laid.keys, strict=True)):
        if said in table.PREPOSITIONS:
            before = last = said
            continue
        if said in _SOLELY:
            continue
        before = "" if index == verb else before
        if key == "be" or said in _EMPTY or said in table.AUX:
            before = "" if key == "be" else before
            continue
        following = laid.said[index + 1] if index + 1 < len(laid.said) else ""
        sort = _sort(said, key, last, following in table.PREPOSITIONS or not following)
        last = said
        ahead = index == 0 or (index == leading and not sort.startswith("number"))
        if sort and (index > verb or said in _SPELLED or (ahead and not whole.raw.startswith("the "))):
            amounts.append((_clock(key) if sort == "clock" else key, sort))
            continue
        one = shared_key(key)
        full.add(one)
        if one in LIGHT:
            continue
        found.append((one, index))
        under.setdefault(one, before)
        if said.removesuffix("'s") in capital:
            names.add(one)
        if said.endswith("'s") or before == "of":
            owners.add(one)
        last_word = (
            index == verb
            or (index == verb + 1 and laid.keys[verb] == "be")
            or not following
            or not said.isascii()
            or following in table.PREPOSITIONS
            or following in _EMPTY
        )
        for kind, side in KINDS.get(stem(said), ()) if index >= verb and last_word else ():
            kinds.setdefault(kind, (side, one))
    words = frozenset(one for one, _ in found)
    raw = whole.raw
    only = _ONLY_NOT.search(whole.raw)
    denied = 0 if only else whole.denied if over else laid.denied
    left = None if told.isdisjoint(_LEAVING) else _left(raw)
    opens = "only" if "the only one" in raw or _ONLY_FIRST.match(raw) else laid.text.split(" ", 1)[0]
    return Gist(
        words=words,
        full=frozenset(full) | {one for one, _ in amounts},
        subject=frozenset(one for one, index in found if index < verb),
        behind=frozenset(one for one, index in found if index > verb),
        kinds=kinds,
        amounts=tuple(sorted(amounts)),
        names=frozenset(names),
        owners=frozenset(owners),
        indefinite=frozenset(SAME.get(key, key) for key in map(table.key, whole.articles)),
        under=under,
        verb=stem(laid.said[verb]) if 0 <= verb < len(laid.said) else "",
        bare=verb == 0,
        definite=frozenset(SAME.get(key, key) for key in map(table.key, _DEFINITE.findall(raw))),
        denies_all=not told.isdisjoint(_NEVER),
        every=raw.split(" ", 1)[0] in _EVERY or "always" in told or _is_none(raw, denied),
        moves="" if told.isdisjoint(_CHANGING) else _moves(raw),
        denied=denied - 1
        if left and denied and " not " in raw and not (left[0] & left[1]) and _NOT.search(raw)
        else denied,
        past=whole.past,
        changed=not told.isdisjoint(_CHANGING) and bool(_CHANGED.search(raw)),
        adds=_found(_ADDS, _ADDING, told, raw),
        limits=_found(_LIMITS, _LIMITING, told, raw),
        opens=opens if opens in _LEADING | _NONE else "",
        said=raw,
        over=over,
        only_of=_only_of(raw) if "only" in told or "sole" in told or raw.startswith("the one ") else frozenset(),
        left=left,
    )


_SUFFIX = re.compile(r"(?:ship|ement|ment|ic|(?<!sk)i|ance|ence|ation|ition|ion|al|ure|ness|ant|ent|er|or|at)$")
_KNOWN = frozenset(KINDS) | LIGHT | ROLES | HAD | MOVERS | MANY | PLACED | HOLDERS | table.VERBS | _ORDINALS


_NO_DOING = stems("department presentation charger trailer processor procession classic settlement counter personal")
"""Nouns that name nothing that the verb they look like says."""


@lru_cache(maxsize=20_000)
def root(key: str) -> str:
    """What a noun and the verb it comes from share: attend, attendance.

    >>> root("replacement") == root("replac"), root("translation") == root("translat")
    (True, True)
    """
    if key in _NO_DOING:
        return key
    short = _SUFFIX.sub("", key)
    short = short[:-1] if short[-1:] == short[-2:-1] else short
    return SAME.get(short, short) if len(short) >= 5 else key


def _found(pattern: re.Pattern[str], marks: frozenset[str], told: set[str], raw: str) -> frozenset[str]:
    return (
        frozenset()
        if told.isdisjoint(marks)
        else frozenset(
            "only" if one.startswith("and no other") else _ONLY.get(one, one) for one in pattern.findall(raw)
        )
    )


_ONLY_FIRST = re.compile(
    r"(?:nobody|no one|none) (?:but|except|other than)\b|\S+(?: \S+)? (?:alone|is the sole|is the only)\b"
    r"|the (?:sole|only|one) \w+ (?:of|in|at|for) "
)
_ONLY_ONE = re.compile(
    r"(?:\bthe (?:only|sole|one)|'s? (?:only|sole)|\b(?:his|her|its|their|our|my) (?:only"
    r"|sole)) (?P<noun>(?!one\b)[\w' -]+?)"
    r"(?= (?:of|in|on|at|for|to|is|are|that|who|has|which)\b|$)"
)


def _only_of(raw: str) -> frozenset[str]:
    """Of what there is one alone."""
    found = _ONLY_ONE.search(raw)
    return (
        frozenset(shared_key(key_of(word)) for word in words_of(found["noun"]) if word not in _EMPTY)
        if found
        else frozenset()
    )


def _moves(raw: str) -> str:
    found = _MOVES.search(raw)
    return "" if not found else "place" if found["place"] else "way"


def _capitals(content: str) -> set[str]:
    """The words written as names, folded."""
    parts = [
        part.strip(_MARKS) for part in content.replace("’", "'").split() if not part.islower() or not part.isascii()
    ]
    found = {
        part.removesuffix("'s").lower()
        for part in parts
        if part[:1].isupper() or (not part.isascii() and SCRIPTED.search(part))
    }
    return found - _EMPTY


def shared_key(key: str) -> str:
    """The key that all share who say the same."""
    one = SAME.get(key, key)
    return root(one) if len(one) > 6 and one not in _KNOWN and one.isalpha() else one


def _left(text: str) -> tuple[frozenset[str], frozenset[str]] | None:
    for marks, pattern in _LEAVES:
        for mark in marks:
            if mark in text:
                if found := pattern.match(text):
                    groups = found.groupdict()
                    gone = _bag(found["gone"])
                    if gone and len(gone) <= 4:
                        return gone, _bag(" ".join(groups.get(name) or "" for name in ("a", "b", "came")))
                break
    return None


def _bag(text: str) -> frozenset[str]:
    said = (word for word in words_of(text) if word not in _EMPTY and word not in table.BE)
    return frozenset(one for word in said if (one := shared_key(key_of(word))) not in LIGHT)


def _verb(laid: Laid, bare_told: bool) -> int:
    """Where the verb stands: a form of be or a helping verb, a known verb, or what looks like the third person."""
    unknown = bare = done = -1
    if laid.said and _begins(laid, bare_told):
        return 0
    if laid.said and laid.said[0] in _SPEAKERS and len(laid.said) > 1 and stem(laid.said[1]) in _VERBS:
        return 1
    for index, word in enumerate(laid.said):
        if laid.keys[index] == "be" or word in table.AUX or word == "there's":
            return index
        if word[0].isdigit() or laid.keys[index] in table.WEEKDAYS:
            continue
        after = laid.keys[index + 1] if index + 1 < len(laid.keys) else ""
        if after == "be" or after in table.AUX or (index and laid.said[index - 1].endswith("'s")):
            continue
        if after in table.MOVES and is_participle(laid.said[index + 1]) and stem(word) not in table.VERBS:
            continue  # the payments tests switched
        if f" {word} have " in laid.raw:
            continue  # the frontend builds have been moved
        if word.endswith("s") and index and laid.said[index + 1 : index + 2] and laid.said[index + 1] in _PLURALS_DO:
            continue  # the frontend builds run
        known = stem(word) in _VERBS and stem(word) not in _NO_VERBS
        done = done if done >= 0 or not index or not is_participle(word) else index
        third = word.endswith("s") and not word.endswith(("ss", "'s", "us", "is"))
        if known and index and (third or laid.said[index - 1].endswith("s")):
            return index
        if third and index and unknown < 0 and not (index == 1 and stem(laid.said[0]) in _VERBS and after == ""):
            unknown = index
        elif known and bare < 0:
            bare = index
    return min((place for place in (unknown, done) if place >= 0), default=bare)


_PLURALS_DO = word_set("run go live meet take need rely depend cost last happen come arrive leave expire belong")
_NO_VERBS = stems("member friend skill")
_SPEAKERS = frozenset({"i", "we", "you", "they"})


def _begins(laid: Laid, bare_told: bool) -> bool:
    """Whether the verb stands first, behind a small word or where the subject is left out."""
    first = laid.said[0]
    after = laid.keys[1] if len(laid.keys) > 1 else ""
    second = laid.raw.split(" ", 2)[1:2]
    if stem(first) not in _VERBS and len(laid.said) > 2 and laid.said[1].endswith("s") and after in table.HOLDS:
        return False  # orders uses MySQL
    if not bare_told or not laid.raw.startswith(first) or after == "be" or {after, *second} & table.AUX:
        return False
    return is_participle(first) or (first.endswith("s") and not first.endswith(("ss", "'s", "us", "is")))


def _sort(said: str, key: str, last: str, alone: bool) -> str:
    """What kind of amount or time a word is, '' for none."""
    if key in table.WEEKDAYS:
        return "weekday"
    if said in _MONTH_WORDS:
        return "month"
    if said in _ORDINALS:
        return "ordinal"
    if not key[:1].isdecimal():
        return ""
    if ":" in key or (last == "at" and key.isdigit() and int(key) <= 24 and alone):
        return "clock"
    if (last in _MONTH_WORDS or last in _NUMBERED_MONTHS) and _YEAR.fullmatch(key):
        return "year"
    return "number " + re.sub(r"[\d.,]+", "", key)


def _clock(key: str) -> str:
    return key if ":" in key else f"{key}:00"
