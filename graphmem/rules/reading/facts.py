"""Turns what a clause says into facts: about whom, in which words, in which slot, and who needs whom."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.model.knowledge import DependencyType, EntityType
from graphmem.model.parsed import Token
from graphmem.rules.contradiction import SINGLE_VALUED
from graphmem.rules.language.gazetteer import is_team
from graphmem.rules.language.relative_dates import FoundDate
from graphmem.rules.reading import phrases, relations, slots
from graphmem.rules.reading.clauses import Clause, Fact, Masked, Reading, read_clauses
from graphmem.rules.reading.mentions import THINGS, Mention, Voice, is_misread, is_thing
from graphmem.rules.reading.relations import Template, fits
from graphmem.rules.reading.slots import read_kin, read_slots
from graphmem.rules.reading.statements import is_decision
from graphmem.rules.reading.wording import PRESENT_VERBS, Wording, third_person, trimmed, wording_of

_PASSIVE = {"own": "owned", "maintain": "maintained", "lead": "led", "manag": "managed", "overs": "overseen"}


def read_facts(masked: Masked, wording: Wording, *, technical: bool, project: Mention | None = None) -> list[Fact]:
    """What the clause says by the templates, in the order it says it; the same thing is said once.

    `project` is what "the default branch" is one of when nothing else is named.
    """
    reading = Reading(masked, wording, technical, project)
    named = any("\ue000" <= char <= "\uf8ff" for char in masked.text)
    facts = [*read_clauses(masked, _Reader(reading).facts_of), *read_kin(reading)] if named else []
    facts += read_slots(reading) if named or project else []
    return list(
        {(fact.about.name, fact.aspect, fact.content): fact for fact in reversed(facts) if fact.content}.values()
    )[::-1]


class _Reader:
    """Turns the matches of one clause into facts."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._masked = reading.masked

    def facts_of(self, clause: Clause) -> list[Fact]:
        if clause.template is None:
            names = clause.match.groupdict()
            if "slot" in names:
                return [
                    slots.slot_fact(subject, clause.match["slot"], self._said(subject, clause), clause.mood)
                    for subject in clause.subjects
                ]
            return self._choice(clause) if "target" in names else self._migration(clause)
        return (
            self._link(clause, clause.template) if clause.template.dependency else self._about(clause, clause.template)
        )

    def _said(self, subject: Mention, clause: Clause) -> str:
        """The clause as a sentence of its own about one subject."""
        said = self._reading.words(clause.body, clause.end)
        if said.startswith(("'s ", "’s ")):
            said = "is " + said[3:]
        adverbs, first, rest = _first_verb(said)
        plural = subject.group and not self._reading.technical
        if not plural and first.lower() in PRESENT_VERBS:
            said = f"{adverbs}{third_person(first)}{rest}"
        return f"{self._reading.show(subject)} {said}{self._purpose(clause)}".strip()

    def _purpose(self, clause: Clause) -> str:
        """What the clause begins with: "For the dashboards we use Grafana"."""
        start = clause.match.start("subj") if clause.match["subj"] else 0
        lead = _PURPOSE.fullmatch(self._masked.text, 0, start)
        return f" {self._reading.words(0, lead.end(1)).lower()}" if lead and not self._masked.named_in(lead[1]) else ""

    def _link(self, clause: Clause, template: Template) -> list[Fact]:
        objects = [m for m in self._masked.named_in(clause.match["obj"]) if not m.possessive]
        if template.relation in ("owns", "owned_by"):
            return self._ownership(clause, template, objects)
        facts = (self._linked(clause, template, subject, objects) for subject in clause.subjects)
        return [fact for fact in facts if fact is not None]

    def _linked(self, clause: Clause, template: Template, subject: Mention, objects: Sequence[Mention]) -> Fact | None:
        things = tuple(o for o in objects if is_thing(o) and o.name != subject.name)
        if template.relation == "runs_on":  # what was written by somebody does not run on them
            things = tuple(
                o for o in things if o.type in THINGS or o.found != "name" or " by" not in clause.match["verb"]
            )
        if not things or subject.type is EntityType.PLACE:
            return None
        uses = template.relation in ("uses", "adopted")
        misread = is_misread(subject) and not uses and any(t.found == "software" for t in things)
        personal = subject.type is EntityType.PERSON and not misread
        if personal and not (uses and all(t.found == "software" for t in things)):
            return None
        stated = clause.mood == "stated"
        linked = stated and not personal and not subject.group
        return Fact(
            template.relation,
            subject,
            "general" if personal and not subject.group else template.aspect,
            self._said(subject, clause),
            clause.mood,
            self._role_claim(clause) if stated and template.dependency is DependencyType.USES else None,
            tuple(self._arrow(subject, other, template) for other in things) if linked else (),
            things,
            ((subject.name, EntityType.SYSTEM),) if misread else (),
            " ".join(sorted(t.name for t in things)),
        )

    def _arrow(self, subject: Mention, other: Mention, template: Template) -> tuple[Mention, Mention, DependencyType]:
        kind = template.dependency or DependencyType.RELATED_TO
        if template.relation == "part_of" and other.found == "name" and other.type not in THINGS:
            kind = DependencyType.OWNED_BY  # "the map widget belongs to Sione"
        if kind is DependencyType.CALLS and other.type is EntityType.TOOL:
            kind = DependencyType.USES  # a database that is talked to is used
        return (other, subject, kind) if template.reverse else (subject, other, kind)

    def _role_claim(self, clause: Clause) -> str | None:
        role = slots.AS_ROLE.match(self._masked.text, clause.match.end())
        return f"uses:{slots.role_name(role['role'])}" if role else None

    def _ownership(self, clause: Clause, template: Template, objects: Sequence[Mention]) -> list[Fact]:
        active = template.relation == "owns"
        owners, owned = (clause.subjects, objects) if active else (objects, clause.subjects)
        named = any(o.found == "software" for o in owned)
        places = set() if named else {EntityType.PLACE}
        owners = [o for o in owners if o.type not in THINGS | places and not o.group]
        owned = [
            o
            for o in owned
            if o.type in THINGS | {EntityType.UNKNOWN, EntityType.ORGANISATION} or (not active and is_misread(o))
        ]
        owned = [o for o in owned if o not in owners]
        verb = clause.match["verb"].lower()
        passive = next(
            (passive for stem, passive in _PASSIVE.items() if re.search(rf"\b{stem}|{passive}", verb)), "owned"
        )
        facts = []
        for thing in owned if owners else ():
            content = self._said(thing, clause)
            if active:
                word = {"stated": "is", "denied": "is no longer", "planned": "will be"}[clause.mood]
                content = f"{thing.name} {word} {passive} by {_listing([self._reading.show(o) for o in owners])}"
            stated = clause.mood == "stated"
            team = thing.type is EntityType.ORGANISATION  # who is led by somebody does not need them
            needs = tuple((thing, owner, DependencyType.OWNED_BY) for owner in owners) if stated and not team else ()
            types = tuple(
                (o.name, EntityType.PERSON)
                for o in owners
                if o.type is not EntityType.ORGANISATION or (o.found == "name" and not is_team(o.name))
            )
            types += ((thing.name, EntityType.SYSTEM),) if thing.type is EntityType.PERSON else ()
            claim = slots.OWNER_SLOTS[passive] if stated else None
            facts.append(Fact("owned_by", thing, "ownership", content, clause.mood, claim, needs, tuple(owners), types))
        return facts

    def _migration(self, clause: Clause) -> list[Fact]:
        match = clause.match
        new = self._masked.named_in(match["new"])
        old = self._masked.named_in(match["old"] or "")
        target = slots.IN_OR_FOR.match(self._masked.text, match.end())
        moved = [
            m
            for m in self._masked.named_in((match["what"] or "") + (target["target"] if target else ""))
            if not m.possessive
        ]
        moved = [m for m in moved if m.type in THINGS | {EntityType.UNKNOWN}]
        if not new or new[0].type is EntityType.PLACE or not is_thing(new[0]):
            return []
        if new[0].type not in THINGS and not old:
            return []
        # What was left tells which slot is filled anew: from a cache to a database is no change of the database.
        role = old[0].role if old else new[0].role
        described = slots.AS_ROLE.match(self._masked.text, match.end())
        if described:
            role = slots.role_name(described["role"])
        facts = []
        for subject in moved or clause.subjects:
            thing = subject.type in THINGS | {EntityType.UNKNOWN}
            if not thing and new[0].type not in THINGS:
                continue  # who moved from one firm to another uses neither
            stated = clause.mood == "stated"
            needs = ((subject, new[0], DependencyType.USES),) if thing and stated else ()
            claim = f"uses:{role}" if role and stated else None
            content = self._said(clause.subjects[0], clause)
            if moved and stated and not target:
                tail = self._reading.words(match.end(), clause.end)
                origin = f" from {old[0].name}" if old else ""
                content = f"{subject.name} was {_past(match['verb'])}{origin} to {new[0].name} {tail}".strip()
            said = (clause.mood, claim, needs, (*new, *old), (), new[0].name)
            facts.append(Fact("uses", subject, "architecture", content, *said))
        return facts

    def _choice(self, clause: Clause) -> list[Fact]:
        match = clause.match
        chosen = [m for m in self._masked.named_in(match["new"]) if is_thing(m)]
        if not chosen or not any(m.type in THINGS for m in chosen):
            return []
        over = self._masked.named_in(match["over"] or "")
        targets = [m for m in self._masked.named_in(match["target"] or "") if m.type in THINGS | {EntityType.UNKNOWN}]
        role = self._role_claim(clause) if clause.mood == "stated" and len(chosen) == 1 else None
        facts = []
        for subject in targets or clause.subjects:
            content = self._said(clause.subjects[0], clause)
            if targets:
                content = f"{subject.name}: {content}"
            thing = subject.type in THINGS
            needs = (
                tuple((subject, m, DependencyType.USES) for m in chosen) if thing and clause.mood != "denied" else ()
            )
            facts.append(Fact("decided", subject, "decisions", content, clause.mood, role, needs, (*chosen, *over)))
        return facts

    def _about(self, clause: Clause, template: Template) -> list[Fact]:
        facts = []
        named = clause.match.groupdict().get("obj")
        others = tuple(m for m in self._masked.named_in(named or "") if not m.possessive)
        value = self._masked.named_in((clause.match.groupdict().get("value") or "")[:1])
        for subject in clause.subjects:
            types = fits(template.relation, subject, (*others, *value))
            changed_firm = any(o.type is EntityType.ORGANISATION for o in others) and " from " in clause.match["body"]
            if types is None or (template.relation == "lives_in" and changed_firm):
                continue
            claim = SINGLE_VALUED.get(template.relation) if clause.mood == "stated" else None
            aspect = template.aspect
            content = self._said(subject, clause)
            if template.relation == "is_a" and _PRODUCT.search(_HEAD_END.split(content)[0]) and is_misread(subject):
                types = ((subject.name, EntityType.SYSTEM),)
            elif template.relation == "is_a" and subject.type is EntityType.PERSON:
                aspect = "work"
            filling = " ".join(m.name for m in others) or self._filling(clause)
            facts.append(
                Fact(template.relation, subject, aspect, content, clause.mood, claim, (), others, types, filling)
            )
        return facts

    def _filling(self, clause: Clause) -> str:
        groups = clause.match.groupdict()
        name = "value2" if groups.get("value2") else "value"
        return self._reading.words(*clause.match.span(name)) if groups.get(name) else ""


_LEAD_IN = re.compile(
    r"(?i)(?:on|in|at|last|yesterday|this|today|earlier)\b[\w ]{0,20}?,? (?:the |our )?(?=[\ue000-\uefff])"
)
WE_EVER = re.compile(r"(?i)^(?:[^,]{2,60}, |from \w+ on )?we (?=(always|never) )")
_PURPOSE = re.compile(r"(for (?!now\b|example\b|instance\b|sure\b|me\b)[^,:;]{3,60}),? ", re.IGNORECASE)


def _first_verb(said: str) -> tuple[str, str, str]:
    match = re.match(rf"(?i)((?:(?:{phrases.ADVERB}) )*)([\w']+)(.*)", said, re.DOTALL)
    return (match[1], match[2], match[3]) if match else ("", said, "")


def _listing(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def _past(verb: str) -> str:
    return {"is moving": "moved", "moves": "moved"}.get(verb.lower(), verb.lower())


_HEAD_END = re.compile(r"(?i) (?:of|for|in|at|on|from|with|that|which|who|to) ")
_PRODUCT = re.compile(
    r"(?i)\b(?:tool|service|system|platform|library|framework|app|application|database|project|"
    r"pipeline|api|website|product|repo|package)\b"
)


@dataclass(slots=True)
class Sentence:
    """One sentence of a message with all that is needed to read it."""

    message: int
    text: str
    start: int
    end: int
    mentions: list[Mention]
    tokens: list[Token]
    dates: tuple[FoundDate, ...]
    technical: bool
    base: int
    """Index in the message of the first token."""

    @property
    def words(self) -> str:
        return self.text[self.start : self.end]

    def at(self, index: int) -> Token | None:
        """The token with an index in the message, if it stands in this sentence."""
        return self.tokens[index - self.base] if 0 <= index - self.base < len(self.tokens) else None

    def place(self, token: Token) -> int:
        """The index in the message of a token of this sentence."""
        return self.base + self.tokens.index(token)


def opened(sentence: Sentence, content: str) -> str:
    return content if _opens_with_name(sentence, content) else content[:1].upper() + content[1:]


def _opens_with_name(sentence: Sentence, content: str) -> bool:
    return any(m.type in THINGS and content.startswith(m.name) for m in sentence.mentions[:1])


def read_rule(
    clause: Sentence,
    lead: Sentence | None,
    wording: Wording,
    voice: Voice,
    before: Sequence[Mention] = (),
    topic: Mention | None = None,
) -> Fact | None:
    """The rule, about the first thing that it or what announces it names, else the project, else what was talked about
    (`topic`), else the speaker. `before` is what the sentence names before: what "it must not slip" is about."""
    content = _rule_words(clause, wording)
    named = [*clause.mentions, *(lead.mentions if lead else ())]
    if _OF_BEFORE.match(clause.words):
        named = [*before, *named]
    others = [m for m in named if m.found != "speaker"]
    about = next((m for m in others if m.type in THINGS and m.type is not EntityType.TOOL), None)
    about = about or next((m for m in others if m.found == "phrase" or _is_unnamed_kind(m, clause, voice)), None)
    if about is None and voice.project:
        about = Mention(0, 0, voice.project, EntityType.PROJECT, "speaker")
    person = next((m for m in clause.mentions[:1] if m.found in ("pronoun", "name") and not m.possessive), None)
    if about is None and person and person.type is EntityType.PERSON and person.start == clause.start:
        about = person
    if about is None and any(m.found == "speaker" and not m.group for m in clause.mentions) and voice.person:
        about = Mention(0, 0, voice.person, EntityType.PERSON, "speaker")
    if about is None and not named:
        about = next((m for m in before if m.type in THINGS and m.type is not EntityType.TOOL), None)
    about = about or topic or next((m for m in named if m.type is EntityType.TOOL or _is_team(m)), None)
    if about is None and voice.person:
        about = Mention(0, 0, voice.person, EntityType.PERSON, "speaker")
    return Fact("rule", about, "rules", content, "stated") if about and content else None


_OF_BEFORE = re.compile(r"(?i)(?:so |and )?(?:it|they|these|those)\b")


def _is_unnamed_kind(mention: Mention, clause: Sentence, voice: Voice) -> bool:
    """Whether a rule may be about something though nothing tells what it is. Any word has a capital where a sentence
    begins."""
    if mention.found == "name" and mention.start == clause.start and mention.name not in voice.heard:
        return False
    plain = mention.type in (EntityType.CONCEPT, EntityType.UNKNOWN, EntityType.TASK)
    return plain and mention.found not in ("speaker", "pronoun") and not mention.possessive and len(mention.name) > 4


def _rule_words(clause: Sentence, wording: Wording) -> str:
    """The rule as an order: "we never deploy on Fridays" is "Never deploy on Fridays"."""
    we = WE_EVER.search(clause.words)
    if we is None:
        return trimmed(opened(clause, wording.render(clause.start, clause.end)))
    others = [m for m in clause.mentions if m.start >= clause.start + we.start(1)]
    ordered = wording_of(clause.text, others, clause.dates, clause.tokens, technical=clause.technical)
    return trimmed(opened(clause, ordered.render(clause.start + we.start(1), clause.end)))


def _is_team(mention: Mention) -> bool:
    return mention.type is EntityType.ORGANISATION and mention.found == "phrase"


def read_decision(sentence: Sentence, content: str) -> Fact | None:
    if not is_decision(sentence.words) or len(content.split()) < 5:
        return None
    about = next((m for m in sentence.mentions if m.type in THINGS and m.type is not EntityType.TOOL), None)
    about = about or next(
        (m for m in sentence.mentions if m.found == "speaker" or m.type in THINGS or _is_team(m)), None
    )
    return Fact("decided", about, "decisions", content, "stated") if about else None


def read_event(sentence: Sentence, content: str, masked: Masked) -> Fact | None:
    """Something that somebody or something did, where a day is given or it is of a lasting kind."""
    lead_in = _LEAD_IN.match(masked.text)
    match = relations.EVENT.match(masked.text, lead_in.end() if lead_in else 0)
    if match is None or not match["subj"]:
        return None
    named = [m for m in masked.named_in(match["subj"]) if not m.possessive]
    verb = match["verb"].lower()
    at = masked.at(match.start("verb"))
    past = next((token for token in sentence.tokens if token.start == at), None)
    if not named or past is None or past.tag not in ("VBD", "VBN") or verb in relations.CHORES:
        return None
    if any(word in match["pre"] for word in ("not", "n't", "never", "will", "would", "could")):
        return None
    dated = any(date.starts_fact for date in sentence.dates)
    lasting = verb in relations.LASTING_EVENTS and len(content.split()) >= 4
    if not (dated or (lasting and len(sentence.mentions) > 1)) or len(content.split()) < 4:
        return None
    thing = next((m for m in sentence.mentions if m.type in THINGS and m.type is not EntityType.TOOL), None)
    about = thing if thing and named[0].found == "speaker" else named[0]
    return Fact("event", about, "events", content, "stated")
