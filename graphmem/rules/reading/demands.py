"""What a clause demands, by its modal words and where they stand: that a thing be done, left, asked for or kept within.

`statements.is_constraint` knows the phrases in which teams write their rules down. People who talk leave half of them
out: "no calls before noon", "nobody merges on Fridays", "changes need a second pair of eyes". What they keep is the
modality, and that is read here, whatever the clause is about and whatever stands before the demand. "Nobody" alone
tells what is so; only with a bound (when, where, without what) does it forbid.
"""

import re
from functools import lru_cache

_LOOKED_AT = 300
"""So many characters of a clause are looked at: a demand is short, and patterns then take no time on a hostile text."""


def _one_of(words: str) -> str:
    return "|".join(words.split())


_LEADS = _one_of("so and but please pls then on now today says said means rule")
_BEGINS = (
    rf"(?:^|^(?:in|on|at|from|for|during|outside|until) (?:[\w.'-]+ ){{1,4}}|[,.:;!(–—-] ?|\b(?:{_LEADS}),? )"
    r"(?:please |pls |absolutely |strictly )?"
)
"""Where a demand may begin: with the clause, behind a mark, or behind a word that leads to it."""
_SOMEBODY = _one_of("i you we he she they that who would really also still just it's don't didn't doesn't not")
"""Who has to do something only today, and what else stands before "have to" where no rule is laid down."""
_FELT = _one_of(
    """mind worry forget know think care panic bother sweat get be hesitate have see understand remember believe feel
    want need like love hate stop say despair wait laugh expect mean blame ask again been was were had got saw heard
    by after let make"""
)
"""What is no deed: "never mind" lays nothing down."""
_IDLE = _one_of(
    """ideas? worries problems? thanks rush need way clue doubt news stress hurry luck pressure reply answers? matter
    wonder reason objections? questions? complaints? surprises? changes? chance signs? trace longer one sense point
    joke more errors? issues? difference place room time harm shame damage loss lost trouble not no but because i we he
    she you they that this it those these the an? big real other promises"""
)
"""What there is none of without anybody forbidding it."""
_HAPPENS = _one_of(
    """is was were has had knows? cares? likes? wants? noticed seems? said says told answers? did does will would could
    really looks? works? happens? feels? came of in on to for and or but with at from about yet else new that as any
    because since so if when by remembers? understands? uses complains? reads believes? helps? matters? changes? breaks
    broke lost gone done went got saw thinks? minds than this next ever may can should must shall"""
)
"""What nobody does without being forbidden to, and what is no verb."""
_GRANT = _one_of(
    """approvals? yes ok okay go-?ahead sign-?offs? signatures? reviews? reviewers? eyes consent nod votes? blessing
    permission confirmation permits? clearance notice witness"""
)
"""What somebody has to give before something may be done."""
_BOUND = _one_of(
    """before after above over without during between until unless within inside outside past beyond except ever please
    pls whatsoever allowed on in for with from near under"""
)
"""What tells when, where or how far something is forbidden."""
_NOBODY = r"(?:nobody|no one|no-one)"
_NOTHING = r"(?:nothing|none(?: of (?:them|these|those|us))?)"
_BESIDES = r"(?: (?:but|except|other than|besides|in|on|from|with|else|new|outside)(?: [\w.'-]+){0,3}?)?"
_NO_AIM = "(?<!goal )(?<!plan )(?<!idea )(?<!point )(?<!trick )"
_MAY = r"(?:may|can|should|must|shall)"
_DONE = r"[a-z]+(?:ed|en|pt|ld|ne)"

_DEMANDS = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        (
            "obliged",
            rf"(?:^|[\s(])(?!(?:{_SOMEBODY}) )[\w.')`*-]+ ha(?:s|ve) to "
            r"(?!do with|say|admit|wait|go\b|leave|see|laugh|think|ask\b|know|guess|come back)[a-z]+|"
            r"(?<!what )(?<!how )\b(?:is|are) (?:not |never |always |only )?to be [a-z]+(?:ed|en|t|ne)\b|"
            rf"(?:{_NO_AIM}\b(?:is|are)|'s|'re|'m)(?:n't| not| never| only) to (?!be\b)[a-z]+|"
            rf"\b{_NOBODY}(?:'s| is) to [a-z]+",
        ),
        (
            "permitted",
            r"\bmay (?:not|only|never)\b(?! (?:be able|know|need|have|want|matter|mean|work|happen|help))|"
            rf"\b(?:(?:can't|cannot|can only|can never) be|(?:is|are) never) {_DONE}\b|"
            rf"\b(?:{_NOBODY}|{_NOTHING}|no) (?:[\w'-]+ ){{0,6}}(?:may|must|shall|should) (?!know|notice|care|be )|"
            r"\bmay (?:[\w-]+ ){1,8}(?:at most|no more than|only)\b|"
            r"\bonly [\w@ .'&/-]{2,50} (?:may|must|(?:is|are) allowed)\b",
        ),
        (
            "forbidden",
            r"\b(?:forbids?|ha(?:s|ve) forbidden|prohibits?|disallows?|bans)\b|\bunder no circumstances\b|"
            r"\bonly (?:allowed|permitted)\b|"
            r"(?:\b(?:is|are|'s|'re)|,) (?:\w+ly )?(?:forbidden|prohibited|banned|off[- ]limits|taboo|mandatory|"
            r"compulsory|obligatory|a no-?go|not allowed|not permitted|(?<!, )a must)\b|"
            r"(?:'m|'re|'s|\bam|\bare|\bis) not supposed to\b|"
            r"\b(?:does|do)(?:n't| not) (?:allow|permit|tolerate)\b|\bno\b.*\ballowed\b",
        ),
        (
            "nobody",
            rf"{_BEGINS}(?:{_NOBODY}|{_NOTHING}){_BESIDES} (?:ever )?(?!(?:{_HAPPENS})\b)[a-z]+(?<![^e]ed)(?<!ing) "
            rf"(?:.*\b)?(?:{_BOUND}|again|any ?more|by hand)\b",
        ),
        (
            "none",
            rf"{_BEGINS}(?:no|zero|not one) (?!(?:{_IDLE})\b)(?:[\w'/-]+ ){{1,4}}?"
            rf"(?:(?:{_BOUND})\b(?! (?:me|my|mine|earth|it|that|this|here|there)\b)|{_MAY} |gets? |goes |"
            rf"(?:is|are) {_DONE}\b)",
        ),
        (
            "leave",
            rf"{_BEGINS}(?:never|don't|dont|do not) (?:ever |even )?(?!(?:{_FELT})\b)[a-z-]+(?<![^e]ed)(?<!s) \w|"
            rf"{_BEGINS}never (?:on|in|at|before|more|less|two|without|during|between|above|over) \w",
        ),
        (
            "only",
            r"^(?!errors?\b)(?!.*\b(?:was|were|started|ended)\b).*\bonly "
            r"(?:with|by|before|between|through|via|during|over|under|inside|within)\b",
        ),
        (
            "granted",
            rf"\b(?:needs?|requires?) (?!to\b)(?:[\w.'-]+ ){{0,6}}?(?:{_GRANT})\b",
        ),
    )
)
"""By name, in the order in which they are tried."""
_MODAL = re.compile(
    r"(?i)\b(?:ha(?:s|ve) to|(?:is|are) (?:\w+ )?to|may|can(?:'t|not)? |forbid|prohibit|disallow|ban|off|taboo|"
    r"mandatory|compulsory|obligatory|a must|allow|permit|tolerate|nobody|no|none|nothing|not|never|only|dont|"
    r"needs?|requires?|zero|under no)|n't\b"
)
"""What every demand has; most clauses have none, and are read no further."""


@lru_cache(maxsize=2_000)
def demand_of(clause: str) -> str:
    """Which demand a clause makes in so many words, '' where it makes none. It begins with no greeting.

    >>> demand_of("so no calls before noon"), demand_of("no idea before noon"), demand_of("Writes are forbidden there")
    ('none', '', 'forbidden')
    """
    clause = clause[:_LOOKED_AT]
    if not _MODAL.search(clause):
        return ""
    return next((name for name, pattern in _DEMANDS if pattern.search(clause)), "")
