"""What came of what an older statement says is under way, planned or there.

Who was preparing for an exam has passed it; who was going to sell the boat keeps it after all; what there was on the
fourth floor was taken away. The newer statement says none of it again and denies none of it: it tells what follows.
"""

import re

from graphmem.rules.contradiction.alike import SAME
from graphmem.rules.contradiction.bygones import is_bygone
from graphmem.rules.contradiction.concepts import concepts
from graphmem.rules.contradiction.gists import gist
from graphmem.rules.contradiction.laying import lay
from graphmem.rules.language.stems import entries, stems

_COURSES = tuple(
    (tuple(part.strip() for part in doing.split("|")), re.compile(rf"\b(?:{done.strip()})\b (?P<what>.+)"))
    for doing, done in (
        entry.split(" = ")
        for entry in entries(
            """preparing for | studying for | revising for | training for | practising for | cramming for
            = passed|failed|sat|took|taken|completed|finished|ran|run|won|through;
            waiting for | hoping for | expecting = got|received|given|obtained|granted|refused|denied;
            looking for | searching for | hunting for = found|bought|hired|landed|got|rented;
            applying for = got|received|granted|refused|denied|given|awarded|awarded with;
            working on | writing | building | reading | editing | drafting | translating | restoring | renovating
            = finished|completed|published|submitted|handed in|released|shipped|launched|abandoned|done with;
            recovering from = recovered from|over|free of;
            saving for | saving up for = bought|purchased;
            negotiating = signed|agreed on|concluded|broken off|broke off;
            paying off = paid off|repaid|cleared;
            serving = served|completed|finished;
            attending | doing | taking = finished|completed|passed|failed|graduated from"""
        )
    )
)
"""What somebody is doing, and what puts an end to it."""
_BY_LENGTH = sorted((one for doing, _ in _COURSES for one in doing), key=len, reverse=True)
_DOING = re.compile(
    rf"^(?P<who>.+?) (?:is|are|am|has been|have been) (?:now |still |currently |busy )*"
    rf"(?P<doing>{'|'.join(_BY_LENGTH)}) (?P<what>.+)$"
)
_LEAVING = (
    r"(?:sell|drop|give up|remove|close|abandon|quit|leave|cancel|end|stop|discontinue|retire|replace|scrap|demolish"
    r"|throw out|give away|get rid of|phase out|shut down|tear down|cut|delete|axe|dissolve|move out of|part with)"
)
_TO = (
    r"(?:(?:is|are|am) (?:going|planning|hoping|due|about|set) to|plans? to|intends? to|wants? to|means? to"
    r"|hopes? to|will"
    r"|(?:has|have) decided to|would like to)"
)
_TO_LEAVE = re.compile(rf"^(?:(?P<who>.*?) )?{_TO} {_LEAVING} (?P<what>.+)$")
_KEEPS = re.compile(
    r"\b(?:keeps?|keeping|retains?|continues?|continuing|stays?|staying|remains?|holds? on to|(?:carry|carries"
    r"|carrying) on)\b"
)
_SETTLED = re.compile(
    r"\b(?:after all|instead|will|decided|going to|contrary|continue\w*|continuing|hold on|carry on|still)\b"
)
"""What says that it was thought over."""
_TO_GO = re.compile(
    rf"^(?P<who>.+?) (?:{_TO} (?:come|go|travel|fly|drive|visit|move|emigrate|leave|join)"
    r"|(?:is|are|am) (?:coming|going|travelling|traveling|flying|driving|visiting|moving|emigrating|leaving|joining))\b"
)
_STAYS = re.compile(r"\b(?:stay|stays|staying|remains?|remaining)\b")
_BEING_DONE = re.compile(r"^(?P<who>.+?) (?:is|are) (?:still |currently |now )?(?:being|under) (?P<what>\w+)\b")
_IS_DONE = re.compile(
    r"\b(?:finished|completed?|done|over|concluded|ended|has been|have been|was|were|reopened|ready)\b"
)
_DUE = re.compile(r"^(?P<who>.+?) (?:(?:is|are) (?:due|expected|pregnant|expecting)\b|(?:is|are) expecting an?\b)")
_BORN = re.compile(
    r"\b(?:was born|were born|has arrived|have arrived|arrived|gave birth|has given birth|had (?:a|her|the) (?:baby"
    r"|son|daughter))\b"
)
_THERE = re.compile(r"^there (?:is|are) (?:an? |the |some |one )?(?P<what>.+)$")
_REMOVED = re.compile(
    r"^(?P<what>.+?) (?:was|were|has been|have been|is|are) (?:now |since )*(?:taken (?:away|out|down)|removed"
    r"|dismantled"
    r"|torn (?:down|out)|pulled down|demolished|gone|no longer there|stolen|closed down|scrapped|filled in|felled"
    r"|cut down)"
    r"(?: .*)?$"
)
_CEASED = re.compile(
    r"^(?P<who>.+?) (?:has |have |was |were |has been |have been )?(?:closed (?:down|for good)|shut down"
    r"|went (?:bankrupt|out of"
    r" business|bust)|gone (?:bankrupt|out of business|bust)|disbanded|dissolved|demolished|torn down|died|passed away)"
    r"(?: (?:in|last|on|this|at|after|during|when|because|for) .*| yesterday| today)?$"
)
"""Who or what is there no more, so that nothing else holds of them."""
_DENIED = re.compile(r"\b(?:not|never|no|nobody|nearly|almost|hardly|if|unless|wants?|hopes?|plans?|would)\b|n't\b")


def comes_of(old: str, new: str) -> str | None:
    """What the newer statement says became of what the older one tells; None where it tells nothing of the kind.

    >>> comes_of("Ana is looking for a flat in Lund.", "Ana has found a flat in Lund.")
    'found a flat in lund'
    """
    before, after = lay(old).raw, lay(new).raw
    return (
        _has_ceased(old, after)
        or _is_over(before, after)
        or _is_done(before, after)
        or _is_kept(before, after)
        or _is_removed(before, after)
        or _has_changed(old, new)
        or is_bygone(old, new)
    )


def has_course(content: str) -> bool:
    """Whether something may come of what the statement tells."""
    raw = lay(content).raw
    return any(pattern.match(raw) for pattern in (_DOING, _TO_LEAVE, _TO_GO, _THERE, _BEING_DONE, _DUE))


def _has_ceased(old: str, after: str) -> str | None:
    """Whose doing the older statement tells, where the newer says that they are no more."""
    ceased = _CEASED.match(after)
    if not ceased:
        return None
    bag = gist(old)
    who = concepts(ceased["who"])
    lives = bag.verb and bag.verb not in _BE and not (bag.past or bag.over or bag.denied)
    return ceased[0] if lives and who and who == bag.subject else None


_BE = frozenset({"is", "are", "was", "were", "hav", "has", "own", "belong"})


def _is_over(before: str, after: str) -> str | None:
    """What was being done is done, and who was to be born is there."""
    if _DENIED.search(after):
        return None
    if (doing := _BEING_DONE.match(before)) and (done := _IS_DONE.search(after)) and "being" not in after:
        who, what = concepts(doing["who"]), concepts(doing["what"])
        return done[0] if who and what and who | what <= concepts(after) else None
    if (due := _DUE.match(before)) and (born := _BORN.search(after)):
        return born[0] if concepts(due["who"]) <= concepts(after) else None
    return None


def _is_done(before: str, after: str) -> str | None:
    """Who did what they were about to do, or did not."""
    doing = _DOING.match(before)
    if not doing or _DENIED.search(after):
        return None
    for kinds, pattern in _COURSES:
        if doing["doing"] in kinds and (done := pattern.search(after)):
            who, what = concepts(doing["who"]), concepts(doing["what"])
            said = concepts(done["what"])
            same = said <= what or what <= said
            if same and what & said and who <= concepts(after[: done.start()]):
                return done[0]
    return None


def _is_kept(before: str, after: str) -> str | None:
    """What was to be given up, and is kept; who was to come, and stays where they are."""
    if (
        (leaving := _TO_LEAVE.match(before))
        and (kept := _KEEPS.search(after))
        and _SETTLED.search(after)
        and not _DENIED.search(after)
    ):
        what = concepts(leaving["what"]) - SUPPORT
        said = concepts(after)
        who = concepts(leaving["who"] or "")
        apart = who and concepts(after[: kept.start()]) - who - what and not who <= said
        return kept[0] if what and what <= said and not apart else None
    if (going := _TO_GO.match(before)) and _STAYS.search(after) and ("after all" in after or "instead" in after):
        who = concepts(going["who"])
        return "stays" if who and who <= concepts(after) else None
    return None


SUPPORT = frozenset(SAME.get(one, one) for one in stems("support use production"))
"""Of what is to be dropped, words that whoever keeps it need not say."""


def _is_removed(before: str, after: str) -> str | None:
    """What was there, and was taken away."""
    after = _THAT_STOOD.sub(" ", after)
    there, removed = _THERE.match(before), _REMOVED.match(after) or _FELL.match(after)
    if not there or not removed:
        return None
    return removed[0] if concepts(there["what"]) == concepts(removed["what"]) else None


_FELL = re.compile(
    r"^(?P<what>.+?) (?:has |have )?(?:blew|blown|fell|fallen|burned|burnt|broken|crashed) (?:down|over|off|apart)"
    r"(?: .*)?$"
)
_THAT_STOOD = re.compile(r" (?:that|which) (?:stood|was|were|hung|grew|lay|sat) ")
_CHANGED = re.compile(
    r"^(?P<who>.+?)(?: have| has|'ve)? (?:(?:recently|just|now|since) )*(?:changed|switched) "
    r"(?:(?P<whose>his|her|their|our|my) )?(?P<what>[\w-]+(?: [\w-]+)?)"
    r"(?=$|,|;| and\b| (?:last|this|in|at|after|since|a) )(?! (?:to|from|for)\b)"
)
_IS_WHOSE = re.compile(
    r"^.+? (?:is|are) (?P<whose>our|my|[\w-]+'s) (?P<what>[\w -]+)$"
    r"|^(?P<of>our|my|[\w-]+'s) (?P<noun>[\w -]+) (?:is|are) .+$"
)
_OURS = {"we": "our", "i": "my"}


def _has_changed(old: str, new: str) -> str | None:
    """Whose doctor or gym the older statement tells, where the newer one says that they changed doctors or gyms."""
    changed = _CHANGED.match(lay(new).raw)
    if not changed or not (changed["whose"] or changed["what"].endswith("s")) or _DENIED.search(changed[0]):
        return None
    who, what, bag = changed["who"], concepts(changed["what"]), gist(old)
    if bag.past or bag.over or bag.denied or not what:
        return None
    if (held := _IS_WHOSE.match(lay(old).raw)) and what == concepts(held["what"] or held["noun"]):
        whose = held["whose"] or held["of"]
        return changed[0] if whose in (_OURS.get(who), f"{who}'s") else None
    at = {word for word in bag.behind if bag.under.get(word) in ("at", "with", "in")}
    known = concepts(who) if who not in _OURS else frozenset({who})
    same = known == bag.subject or (who in _OURS and bag.said.startswith(f"{who} "))
    return changed[0] if same and what <= at else None
