"""A statement without what is said around it: how it is led in, by whom it was noted, what is told aside.

The rules of contradiction compare words, and these words belong to no topic: "scratch that: the key is in the drawer",
"Konrad, who joined in 2015, is the chairman". Names keep their capitals.
"""

import re
import unicodedata
from functools import lru_cache

from graphmem.rules.contradiction.idioms import in_plain_words

_ERROR = (
    r"(?:wrong(?:ly)?|mistaken?|mistakes?|mix(?:ed)?[ -](?:\w+ )?up|misread|misheard|misremembered|misspoke"
    r"|misunderst\w+"
    r"|typo|confused|erroneous|in error|in fact|correct(?:ion|ing|ed)|stand corrected|slip|oversight|not right|outdated"
    r"|out of date|disregard|ignore (?:that|what)|forget (?:that|what)|take that back|scratch that|strike that|my bad)"
)
_LEAD = re.compile(
    rf"^(?:[^,:;.—–]{{0,60}}\b{_ERROR}\b[^,:;.—–]{{0,40}}(?:[:;.—–]| - |, (?:and |but )?)\s*"
    r"|(?:sorry|apologies|pardon|oops|whoops|update|news|correction|edit|note|fyi|by the way|as it (?:turns|turned) out"
    r"|turns out|no|well|right|actually|in fact|in reality|in truth|to be precise|to be exact|more precisely|rather"
    r"|contrary to [^,:;]{2,60}|against [^,:;]{2,30} expectations?|other than [^,:;]{2,40} (?:said|thought|noted"
    r"|assumed)"
    r"|i just (?:learned|heard|learnt|found out|checked)|after checking[^,:;]{0,30}|i (?:checked|asked)(?: again)?"
    r"|according to (?:the|our|its|their|my|his|her) [^,:;]{0,40}(?:book|manual|docs?|documentation|wiki|website"
    r"|site|page"
    r"|schedule|timetable|calendar|contract|register|records?|minutes|plan|rota|roster|list|spec\w*|readme|file|sheet"
    r"|label|sign|notes?|brochure|catalogue)|as [^,:;]{1,30} (?:says|said|tells me|told me|wrote|confirmed|noted)"
    r"|as far as [^,:;]{1,30} knows?|officially|as of [^,:;]{2,30}|for the record|until further notice|lately"
    r"|of late|to everyone's surprise|fortunately|unfortunately|luckily|sadly|finally|in the end"
    r"|after all|as before|as planned|as always)\s*(?:[,:;—–]|\.{1,3}| - )\s*"
    r"|(?:it|this) (?:turns|turned) out(?: that)?,? |it (?:is|was) (?:true|the case|a fact|known) that "
    r"|(?:it appears|it has emerged|we learned|word is|note|i(?:'ve| have)? (?:learned|noted|wrote|written|said"
    r"|recorded|jotted down|confirmed|checked|was told|heard))"
    r" that (?!.*\?)|(?:the fact is|the truth is),? (?:that )?)",
    re.IGNORECASE,
)
_ABOUT_ONE = re.compile(
    r"^[^,:;.]{0,40}\b(?:wrong|mistaken|mixed up|confused) (?:about|with|regarding|on) (?:the |a "
    r"|an )?(?P<what>[^,:;.]{2,50})[,:;.] "
    r"(?P<rest>[^,;]+ )(?:one|it|any|them|that)[.!]?$",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"^[^,:;.]{0,40}\b(?:wrong|mistaken|mixed up|confused|sorry) (?:about|with|regarding"
    r"|on) (?P<what>[^,:;.]{2,50})[,:;.] "
    r"(?:and |but )?(?:it|he|she|they|this|that)(?= (?:\w+n't|is|are|was|has|have|does|do|can|\w+s)\b)",
    re.IGNORECASE,
)
"""What a correction is about, and the small word that stands for it."""
_WORDS_OF_NUMBER = "one|two|three|four|five|six|seven|eight|nine|ten|twelve"
_ASIDE = re.compile(
    r"^(?P<head>[^,;:]{3,70}), (?!and |or |but )(?:(?:who|which|whose|where|that|in which|at which|to which"
    r"|along with|together with"
    rf"|including|like|unlike|formerly|previously|born|aged|near|next to|a|an|the|one|our|my|his|her|its|their"
    rf"|{_WORDS_OF_NUMBER}"
    r"|\d+) [^,;]{2,90}|[A-ZÀ-Þ][\w'-]+(?: [A-ZÀ-Þ][\w'-]+){0,2}|[A-ZÀ-Þ][\w'-]+'s [^,;]{2,30}), (?P<verb>(?!and "
    r"|or |but |not )\w)"
)
_BESIDE = re.compile(
    r"^(?P<name>(?:(?! (?:of|for|in|at|on|to|with|from|by) )[^,;:]){2,50}), (?P<noun>(?:the|our|his|her|their"
    r"|its) [^,;]{3,60}|[A-ZÀ-Þ][\w'-]+(?: [A-ZÀ-Þ][\w'-]+){0,2}),"
    r" (?P<verb>(?!and |or |but |not )\w.+)$"
)
_TAIL = re.compile(
    r"(?:, (?:which|who|whom|where|whose|while|so that|so|though|although|even though|because|as|since|to everyone's"
    r"|much to"
    r"|as (?:planned|usual|always|before)|just like|like every|in order to|and so|thanks to|due to|owing to"
    r"|for that reason"
    r"|when (?:that|it|this|he|she|they)|at least for now|for the time being|(?:i|we) (?:misheard|misread|mixed|was"
    r"|were|had|got|made|confused|checked"
    r"|stand|decided|learned|noted|hear|gather)|(?:her|his|their|its|the|my|our) only (?:one|\w+)|somebody else"
    r"|someone else|(?:nothing|nobody|no one) else"
    r"|contrary to|against all|unlike|as announced|as agreed|as promised|which is|if i remember \w+"
    r"|as far as [^,]{1,20} knows?)\b[^;]*"
    r"| (?:because(?! of \w+$)|although|even though|in order to|so that"
    r"|(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )due to"
    r"|owing to|thanks to|because of) [^;]+"
    r"|,? and (?:it|he|she|they|there) (?:has|have|is|are) no other(?:s| ones?)?"
    r"|,? (?:for the time being|for good|once and for all|for now|at long last|at last|at the latest count|to date"
    r"|thankfully"
    r"|fortunately|unfortunately|sadly|apparently|as it happens|of all places|in the meantime|meanwhile|in the end"
    r"|and nowhere else|nowhere else|who(?:se)? (?:is|has|was|only|also|can|will|comes|works|lives|runs|used|just"
    r"|never|always) .+))+[.!]?$",
    re.IGNORECASE,
)
_PRESENT = (
    r"(?:meanwhile|in the meantime|these days|nowadays|by now|at present|at the moment|since then|from now on"
    r"|as of (?:late|now)|has since)"
)
"""What says that it holds now, and did not always."""
_PRESENTLY = re.compile(rf"^{_PRESENT},? (?=\w)|(?:(?<=\w)|,) {_PRESENT}(?= \w|[.!]?$)", re.IGNORECASE)
_CONTRACTED = (
    (re.compile(r"\b(I)'m\b"), r"\1 am"),
    (re.compile(r"\b(we|you|they|We|You|They)'re\b"), r"\1 are"),
    (re.compile(r"\b(I|we|you|they|We|You|They)'ve\b"), r"\1 have"),
    (re.compile(r"\b(I|we|you|they|he|she|it|We|You|They|He|She|It)'ll\b"), r"\1 will"),
    (re.compile(r"\b(he|she|it|that|there|He|She|It|That|There)'s (?=been|got|had|become|gone)"), r"\1 has "),
    (re.compile(r"\b(he|she|that|there|He|She|That|There)'s\b"), r"\1 is"),
    (re.compile(r"\ban? (?=(?:Mr|Mrs|Ms|Dr)\b)"), ""),
)
_ABILITY = (
    (re.compile(r"\b(?:has |have )?never (?:learned|learnt) (?:how )?to\b"), "cannot"),
    (re.compile(r"\b(?:doesn't|does not|don't|do not) know how to\b"), "cannot"),
    (re.compile(r"\b(?:knows? how to|(?:has |have )?(?:learned|learnt) (?:how )?to)\b"), "can"),
)
_EX = re.compile(r"^(\w+) is (\w+)'s (?:ex|former)[ -](?:wife|husband|partner|girlfriend|boyfriend|spouse)\b.*$")
_SUBJECT = (
    r"(?=(?:the|our|my|his|her|their|its|an?|all|every|both"
    r"|(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September"
    r"|October"
    r"|November|December|Christmas|Easter|New Year)[A-ZÀ-Þ][\w'-]+) (?:[\w'-]+ ){0,5}?(?:is|are|has|have|was|were|can"
    r"|will|does|do|takes?|[a-z]{2,}s|[a-z]{2,}ed)\b)"
)
_SINCE_THEN = re.compile(
    rf"^(?:Since|After|Following|As of|Starting|Beginning with|With effect "
    rf"from) (?!then)(?:(?:[\w'-]+ ){{1,5}}?{_SUBJECT}|[^,]{{2,50}}, )"
)
"""Since when it holds, told first."""
_UNTIL_THEN = re.compile(rf"^(?:Until|Up to|Till) (?P<when>(?:[\w'-]+,? ){{1,5}}?){_SUBJECT}(?P<rest>.+?)[.!]?$")
_OVER_NOW = re.compile(
    r"^(?:but |and )?(?:it|he|she|they|we|that|this|there|those|these)?(?:'s| is| are| does| do| has)? ?"
    r"(?:doesn't|don't|isn't|aren't|hasn't|haven't|not|no longer|over|history|ended|came to an end|stopped)(?: (?:do"
    r"|does|be|is|so|the case))?"
    r"(?: any ?more| any longer| now| today| since)?[.!]?$",
    re.IGNORECASE,
)
"""That what was told before is over."""
_ONCE = re.compile(
    r"^(?:back (?:when|then|in)[^,]{0,60}|when (?:he|she|it|they|we|i) (?:was|were)[^,]{1,40}|in (?:former|earlier"
    r"|the old|past) (?:times|days|years)|formerly|once|in the past|previously|years ago),? ",
    re.IGNORECASE,
)
_HAD = re.compile(
    r"^(?P<who>.+?) (?:once )?had (?P<what>(?:an?|two|three|the) [^,;]+?)(?:[,;] (?:and |but )?(?:it|he|she|they"
    r"|which|both)"
    r"|,? but (?:(?:it|he|she|they) )?(?:has |have )?(?:since )?(?=(?:sold|lost|gave|scrapped)\b))"
    r" ?(?:has |have |was |were |had |is |are )?(?:since )?(?:been )?(?:died|dead|sold|ran away|run away|stolen"
    r"|given away|gave (?:it|them|him|her) (?:away|up|back)|broke|broken|passed away|gone|left|lost|scrapped"
    r"|put down)\b.*$"
)
_NOT_BUT = re.compile(
    r"^(?P<head>[^,;]+? (?:is|are|was|were|will|has|have|had|be|been))(?: not|n't) (?P<mid>(?: ?\w+ed| ?\w+en| ?made"
    r"| ?done| ?held| ?kept| ?run| ?led| ?going| ?due)?) (?P<lead>(?:by|in|at|on|for|to|with|from|as|of) "
    r"|)(?P<gone>[^,;]+?),? but (?:rather )?(?P=lead)(?P<came>[^,;]+?)[.!]?$"
)
_CLEFT = (
    (
        re.compile(
            r"^(?:Now )?[Ii]t(?:'s| is| was) (?P<who>(?!n't|not)[^,]{2,50}?) (?:who|that|which) (?P<does>\w+ .+)$",
            re.IGNORECASE,
        ),
        r"\g<who> \g<does>",
    ),
    (
        re.compile(
            r"^It(?:'s not| is not| isn't| wasn't| was not) (?P<who>[^,]{2,50}?) (?:who|that"
            r"|which) (?P<does>\w+ [^,;]+)(?:[,;].*)?$",
            re.IGNORECASE,
        ),
        r"not \g<who> \g<does>",
    ),
    (
        re.compile(
            r"^Not (?P<gone>[^,]{2,40}?),? but (?P<came>(?:the |a |an |my |his "
            r"|her )?[\w'-]+(?: [A-ZÀ-Þ][\w'-]+)*) (?P<does>.+?)[.!]?$"
        ),
        r"\g<came> \g<does>, not \g<gone>",
    ),
    (
        re.compile(
            r"^(?P<value>.+?) (?:is|are) (?:the place )?where (?P<who>.+?) (?P<does>lives?|works?|stays?|meets?|is"
            r"|are|has [^.!]+|have [^.!]+)[.!]?$"
        ),
        r"\g<who> \g<does> in \g<value>",
    ),
    (
        re.compile(
            r"^You(?:'ll| will| can)? find (?P<what>.+?) (?P<where>(?:in|on|under|at|behind|with|next to|near|above"
            r"|below|by) .+)$",
            re.IGNORECASE,
        ),
        r"\g<what> is \g<where>",
    ),
    (
        re.compile(
            r"^(?:What|Who) (?P<does>[\w' -]+?) (?:is|are) (?P<who>(?:a|an|the|my|our|his|her|[A-ZÀ-Þ])[^,]*?)[.!]?$"
        ),
        r"\g<who> \g<does>",
    ),
)
"""Ways to put one part of a statement before the others."""
_AND_IT = re.compile(
    r",(?: and| so| but)? (?:he|she|it|they|there|we|i|nobody|somebody|everybody|(?:the|his|her|its|their|our|my"
    r"|a) [\w'-]+(?: [\w'-]+)?)(?:'s|'re|'ve)?"
    r" (?:is|are|was|were|has|have|had|will|can|does|did|doesn't|isn't|\w+ed|\w+s|costs|took|went|came|gave|got|made"
    r"|sent|left|now)\b[^;]*$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"(?<=\w) (?:to date|for the time being"
    r"|of late|lately|officially|unfortunately|fortunately|thankfully|sadly|apparently"
    r"|after all|in fact|in reality|as a matter of fact|once more|for good|permanently|indeed|eventually|ultimately"
    r"|until further notice|in the end|actually|definitely|certainly|really"
    r"|clearly|naturally|obviously|regularly|generally|normally|basically|essentially"
    r"|(?<!not )(?<!n't )(?:directly|entirely|altogether))(?= \w)",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\b(ha(?:s|ve)) since\b(?= \w+(?:ed|en|n|t|d)\b)", re.IGNORECASE)
_MARKS = frozenset(
    [
        "meanwhile",
        "meantime",
        "days",
        "nowadays",
        "now",
        "date",
        "present",
        "moment",
        "time",
        "late",
        "recently",
        "lately",
        "officially",
        "unfortunately",
        "fortunately",
        "thankfully",
        "sadly",
        "apparently",
        "all",
        "fact",
        "reality",
        "matter",
        "more",
        "good",
        "permanently",
        "indeed",
        "eventually",
        "ultimately",
        "then",
        "notice",
        "end",
        "actually",
        "definitely",
        "certainly",
        "really",
        "clearly",
        "naturally",
        "obviously",
        "regularly",
        "generally",
        "normally",
        "basically",
        "essentially",
        "directly",
        "entirely",
        "altogether",
        "since",
    ]
)
"""A text without any of these words holds nothing that is told between."""


_CLEFT_STARTS = frozenset({"Now", "It ", "it ", "It'", "it'", "Not", "not", "You", "you", "Wha", "Who"})


@lru_cache(maxsize=4_096)
def essence(content: str) -> str:
    """What the statement says, without what is said around it.

    >>> essence("Scratch that: the key, which is new, is with Ana, because she lives near.")
    'the key is with Ana'
    """
    text = _ABOUT_ONE.sub(r"\g<rest>\g<what>", _ABOUT.sub(r"\g<what>", content.strip()))
    if "'" in text or "’" in text or " a " in text:
        text = text.replace("’", "'")
        for pattern, plain in _CONTRACTED:
            text = pattern.sub(plain, text)
    if "how to" in text or "learn" in text:
        for pattern, plain in _ABILITY:
            text = pattern.sub(plain, text)
    text = in_plain_words(text)
    text = _EX.sub(r"\1 and \2 have separated", text) if "ex-" in text or "former" in text else text
    if until := _UNTIL_THEN.match(text):
        text = f"{until['rest']} until {until['when'].strip(', ')}"
    if (had := _HAD.match(text)) is not None:
        text = f"{had['who']} no longer has {had['what']}"
    if " but " in text and (turned := _NOT_BUT.match(text)) and not turned["gone"].startswith(("only", "just")):
        text = (
            f"{turned['head']} {turned['mid']} {turned['lead']}{turned['came']}, not {turned['lead']}{turned['gone']}"
        )
    marked = not _MARKS.isdisjoint(text.lower().replace(",", " ").replace(".", " ").split())
    presently = False
    if marked:
        bare = _PRESENTLY.sub("", _SINCE.sub(r"\1", text))
        presently, text = bare != text, bare
    if text[:1] in "SAFBW" and (since := _SINCE_THEN.match(text)) and len(text[since.end() :].split()) > 2:
        presently, text = True, text[since.end() :]
    for _ in range(3):
        shorter = _LEAD.sub("", text, count=1)
        if shorter == text or len(shorter.split()) < 2:
            break
        text = shorter
    if "," in text:
        text = _ASIDE.sub(r"\g<head> \g<verb>", text)
    for pattern, plain in _CLEFT if text[:3] in _CLEFT_STARTS or " where " in text else ():
        text = pattern.sub(plain, text)
    cut = _TAIL.sub("", text)
    text = cut if len(cut.split()) >= 3 else text
    text = _BETWEEN.sub("", text) if marked else text
    return f"{text.rstrip('.! ')} now." if presently else text


_ACCENTS = re.compile(r"(?<=[a-zA-Z])[\u0300-\u036f]+")


def unaccented(text: str) -> str:
    """The text with the accents of Latin letters taken off.

    >>> unaccented("Édouard in Malmö")
    'Edouard in Malmo'
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text))).replace("ø", "o")


@lru_cache(maxsize=4_096)
def tellings(content: str) -> tuple[str, ...]:
    """The statement without what is said around it, and what else it tells: of who or what has two names the same by
    the other one, and that it is the other; what stands before or behind a semicolon, or "and" and a verb.

    >>> tellings("Mrs Oka, the caretaker of the house, likes tea.")
    ('Mrs Oka likes tea.', 'the caretaker of the house likes tea.', 'Mrs Oka is the caretaker of the house')
    >>> tellings("He is a baker; he had a shop.")
    ('He is a baker; he had a shop.', 'He is a baker', 'He had a shop.')
    """
    whole = essence(content)
    told = [whole]
    if beside := _BESIDE.match(content) if "," in content else None:
        name, noun, rest = beside["name"], beside["noun"], beside["verb"]
        told += [essence(f"{noun} {rest}"), f"{name} is {noun}"]
        if _ONE_WORD_ROLE.fullmatch(noun):
            told.append(f"{noun} {_MISTER.sub('', name)} {rest}")
    if ", who " in content and (clause := _WHO_DOES.search(content)):
        told.append(f"{clause['who']} {clause['does']}")
    elif ", " in content and (ended := _HE_NO_MORE.match(content)) and (who := _FIRST_SUBJECT.match(content)):
        told.append(f"{who['who']} {ended['rest']}")
    if (dead := _WAS_AND_DIED.match(content)) is not None:
        told.append(f"{dead['what']} until recently")
    elif "; " in content:
        parts = [part for part in content.split("; ") if len(part.split()) > 1]
        over = len(parts) == 2 and _OVER_NOW.match(parts[1])
        told += [f"{_ONCE.sub('', parts[0])} no longer"] if over else [essence(part) for part in _of_one(parts)]
    elif ", but " in content and len(parts := content.split(", but ")) == 2 and _OVER_NOW.match(parts[1]):
        told += [f"{_ONCE.sub('', parts[0])} no longer"]
    elif parts := _two_clauses(content, ", so ") or _two_clauses(whole, ", and "):
        told += map(essence, _of_one(parts))
    elif not content.isascii() and len(parts := _WIDE_COMMA.split(content)) > 1:
        told += [part for part in parts if len(part) > 3]
    elif ", " in whole and len((first := _AND_IT.sub("", whole)).split()) >= 3:
        told.append(first)
    elif (joined := _AND_DOES.match(whole)) and len(joined["first"].split()) >= 3:
        told.append(joined["first"])
        if who := _FIRST_SUBJECT.match(whole):
            told.append(f"{who['who']} {joined['then']}")
    return tuple(dict.fromkeys(told))[:4]


def _two_clauses(text: str, between: str) -> list[str]:
    """What stands before and behind, where enough stands behind to be a statement; nothing else."""
    parts = text.split(between, 1)
    return parts if len(parts) == 2 and len(parts[1].split()) >= _CLAUSE else []


_CLAUSE = 4
"""Words that a clause has at least."""
_ONE_WORD_ROLE = re.compile(r"(?:the|our) [a-z]+")
_MISTER = re.compile(r"^(?:Mr|Mrs|Ms|Dr)\.? ")
_WHO_DOES = re.compile(r"(?P<who>[A-ZÀ-Þ][\w'-]+(?: [A-ZÀ-Þ][\w'-]+)?), who (?P<does>(?!was|were|had)\w+ [^,;]+)[.!]?$")
_WAS_AND_DIED = re.compile(
    r"(?P<what>[^,;]+? (?:was|were|had|[a-z]{2,}ed) [^,;]+)[,;] (?:but |and )?(?:he|she|it|they)"
    r"(?:'s|'ve| has| have| was| were| is)? (?:since |now |just )?(?:(?:died|passed away|sold|gone|retired|scrapped"
    r"|demolished)\b.*"
    r"|(?:quit|stopped|gave (?:it|that) up|given (?:it|that) up)(?: (?:last|in|since|for|this|when) .*)?[.!]?$)"
)
_HE_NO_MORE = re.compile(
    r"^(?!Back |When |While |If |As |After |Before )[^;]+, (?:and |but )?(?:he|she|it|they) (?P<rest>(?:no longer"
    r"|doesn't"
    r"|don't|isn't|aren't|has stopped|have stopped|stopped|never) [^,;]+ [^,;]+)$"
)
_WIDE_COMMA = re.compile(r"[，、；]|(?<=[\u3040-\u9fff]),(?=[\u3040-\u9fff])")
_PRONOUN = re.compile(r"(?:and |but |so )?(?:he|she|it|they|that|this)(?=\b(?!'))", re.IGNORECASE)
_FIRST_SUBJECT = re.compile(
    r"(?P<who>(?:(?:[Tt]he|[Oo]ur|[Mm]y|[Hh]is|[Hh]er|[Tt]heir|[Ii]ts|[Aa]n?) )?[\w'-]+(?: [\w'-]+){0,4}?) (?:is|are"
    r"|was|were|has|have|had|does|will|can|got|took|gave|made|bought|sold|left|went|came|began|won|lost|found|met"
    r"|led|ran"
    r"|kept|held|[a-z]{2,}ed|[a-z]{2,}s)\b"
)


def _of_one(parts: list[str]) -> list[str]:
    """The parts, each with what the small word at its beginning stands for; without those of which that is not seen."""
    first = _FIRST_SUBJECT.match(parts[0]) if parts else None
    told = parts[:1]
    for part in parts[1:]:
        if not _PRONOUN.match(part):
            told.append(part)
        elif first:
            told.append(_PRONOUN.sub(first["who"], part))
    return told


_AND_DOES = re.compile(
    r"^(?P<first>(?!.*\b(?:between|both|either)\b).{8,}?),? and (?P<then>(?:is|are|was|were|has|have|had|does|did"
    r"|can|will"
    r"|doesn't|isn't|lives|works|takes|wants|runs|don't|won't|didn't|aren't|hasn't|haven't"
    r"|stays|keeps|goes|went|opened|bought|got|moved|left|took|made|gave|now|so)\b .+)$"
)
