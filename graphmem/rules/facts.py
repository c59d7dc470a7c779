"""Turns what a clause says into facts: about whom, in which words, in which slot, and who needs whom."""

import re
from collections.abc import Sequence
from dataclasses import replace

from graphmem.model.knowledge import DependencyType, EntityType
from graphmem.rules import phrases, slots
from graphmem.rules.clauses import Clause, Fact, Masked, Mood, end_of, matches, read_clauses
from graphmem.rules.gazetteer import word_set
from graphmem.rules.mentions import THINGS, Mention
from graphmem.rules.relations import Template
from graphmem.rules.wording import PRESENT_VERBS, Wording, speaker_name, third_person

_PASSIVE = {"own": "owned", "maintain": "maintained", "lead": "led", "manag": "managed", "overs": "overseen"}


def read_facts(masked: Masked, wording: Wording, *, technical: bool, project: Mention | None = None) -> list[Fact]:
    """What the sentence says by the templates, in the order it says it; the same thing is said once.

    `project` is what "the default branch" is one of when nothing else is named.
    """
    reader = _Reader(masked, wording, technical, project)
    facts = [*read_clauses(masked, reader.facts_of), *reader.slots(), *reader.kin()]
    return list(
        {(fact.about.name, fact.aspect, fact.content): fact for fact in reversed(facts) if fact.content}.values()
    )[::-1]


class _Reader:
    """Turns the clauses of one sentence into facts."""

    def __init__(self, masked: Masked, wording: Wording, technical: bool, project: Mention | None) -> None:
        self._project = project
        self._masked = masked
        self._wording = wording
        self._technical = technical

    def facts_of(self, clause: Clause) -> list[Fact]:
        if clause.template is None:
            names = clause.match.groupdict()
            if "slot" in names:
                return [
                    self._slot_fact(subject, clause.match["slot"], self._said(subject, clause), clause.mood)
                    for subject in clause.subjects
                ]
            return self._choice(clause) if "target" in names else self._migration(clause)
        return (
            self._link(clause, clause.template) if clause.template.dependency else self._about(clause, clause.template)
        )

    def _show(self, mention: Mention) -> str:
        return speaker_name(mention, technical=self._technical) if mention.found == "speaker" else mention.name

    def _said(self, subject: Mention, clause: Clause) -> str:
        """The clause as a sentence of its own about one subject."""
        said = self._wording.render(self._masked.at(clause.body), self._masked.upto(clause.end))
        if said.startswith(("'s ", "’s ")):
            said = "is " + said[3:]
        adverbs, first, rest = _first_verb(said)
        plural = subject.group and not self._technical
        if not plural and first.lower() in PRESENT_VERBS:
            said = f"{adverbs}{third_person(first)}{rest}"
        return f"{self._show(subject)} {said}".strip()

    def _link(self, clause: Clause, template: Template) -> list[Fact]:
        objects = [m for m in self._masked.named_in(clause.match["obj"]) if not m.possessive]
        if template.relation in ("owns", "owned_by"):
            return self._ownership(clause, template, objects)
        facts = (self._linked(clause, template, subject, objects) for subject in clause.subjects)
        return [fact for fact in facts if fact is not None]

    def _linked(self, clause: Clause, template: Template, subject: Mention, objects: Sequence[Mention]) -> Fact | None:
        things = tuple(o for o in objects if _is_thing(o) and o.name != subject.name)
        if not things or subject.type is EntityType.PLACE:
            return None
        uses = template.relation in ("uses", "adopted")
        misread = _is_misread(subject) and not uses and any(t.found == "software" for t in things)
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
        )

    def _arrow(self, subject: Mention, other: Mention, template: Template) -> tuple[Mention, Mention, DependencyType]:
        kind = template.dependency or DependencyType.RELATED_TO
        return (other, subject, kind) if template.reverse else (subject, other, kind)

    def _role_claim(self, clause: Clause) -> str | None:
        role = slots.AS_ROLE.match(self._masked.text, clause.match.end())
        return f"uses:{_role(role['role'])}" if role else None

    def _ownership(self, clause: Clause, template: Template, objects: Sequence[Mention]) -> list[Fact]:
        active = template.relation == "owns"
        owners, owned = (clause.subjects, objects) if active else (objects, clause.subjects)
        owners = [o for o in owners if o.type not in THINGS | {EntityType.PLACE} and not o.group]
        owned = [
            o
            for o in owned
            if o.type in THINGS | {EntityType.UNKNOWN, EntityType.ORGANISATION} or (not active and _is_misread(o))
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
                content = f"{thing.name} {word} {passive} by {_listing([self._show(o) for o in owners])}"
            stated = clause.mood == "stated"
            needs = tuple((thing, owner, DependencyType.OWNED_BY) for owner in owners) if stated else ()
            types = tuple(
                (o.name, EntityType.PERSON)
                for o in owners
                if o.type is not EntityType.ORGANISATION or o.found == "name"
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
        if not new or new[0].type is EntityType.PLACE or not _is_thing(new[0]):
            return []
        if new[0].type not in THINGS and not old:
            return []
        role = new[0].role or (old[0].role if old else "")
        described = slots.AS_ROLE.match(self._masked.text, match.end())
        if described:
            role = _role(described["role"])
        subjects = moved or list(clause.subjects)
        facts = []
        for subject in subjects:
            thing = subject.type in THINGS | {EntityType.UNKNOWN}
            stated = clause.mood == "stated"
            needs = ((subject, new[0], DependencyType.USES),) if thing and stated else ()
            claim = f"uses:{role}" if role and stated else None
            content = self._said(clause.subjects[0], clause)
            if moved and stated and not target:
                tail = self._wording.render(self._masked.at(match.end()), self._masked.upto(clause.end))
                origin = f" from {old[0].name}" if old else ""
                content = f"{subject.name} was {_past(match['verb'])}{origin} to {new[0].name} {tail}".strip()
            facts.append(Fact("uses", subject, "architecture", content, clause.mood, claim, needs, (*new, *old)))
        return facts

    def _choice(self, clause: Clause) -> list[Fact]:
        match = clause.match
        chosen = [m for m in self._masked.named_in(match["new"]) if _is_thing(m)]
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
            types = _fits(template.relation, subject, (*others, *value))
            if types is None:
                continue
            claim = slots.SINGLE_VALUED.get(template.relation) if clause.mood == "stated" else None
            aspect = template.aspect
            content = self._said(subject, clause)
            if template.relation == "is_a" and _PRODUCT.search(_HEAD_END.split(content)[0]) and _is_misread(subject):
                types = ((subject.name, EntityType.SYSTEM),)
            elif template.relation == "is_a" and subject.type is EntityType.PERSON:
                aspect = "work"
            facts.append(Fact(template.relation, subject, aspect, content, clause.mood, claim, (), others, types))
        return facts

    def slots(self) -> list[Fact]:
        """ "The port of X is 80", "X's owner is P", "our database is Y"."""
        facts = []
        for pattern in (slots.SLOT_OF, slots.SLOT_AFTER, slots.ROLE_IS, slots.SLOT_ALONE):
            for match in matches(pattern, self._masked.text):
                names = match.groupdict()
                holders = self._masked.named_in((names.get("subj") or "") + (names.get("own") or ""))
                if pattern is slots.SLOT_ALONE and self._project:
                    holders = [self._project]
                if not holders:
                    continue
                holder = replace(holders[0], possessive=False)
                end = end_of(self._masked, match.start("body") + 2)
                said = self._wording.render(self._masked.at(match.start("body")), self._masked.upto(end))
                said = "is " + said.lstrip("=:").strip() if said[:1] in "=:" or match["body"][:1] in ":=" else said
                word = names.get("slot") or names["role"]
                word = word if word.isupper() else word.lower()
                mood: Mood = "denied" if re.match(r"(?:is|was|are) not\b", said) else "stated"
                content = f"{self._show(holder)}'s {word} {said}"
                if "role" in names:
                    facts += self._role_fact(holder, match, content, mood)
                else:
                    facts.append(self._slot_fact(holder, word, content, mood, self._masked.named_in(match["value"])))
        return facts

    def _role_fact(self, holder: Mention, match: re.Match[str], content: str, mood: Mood) -> list[Fact]:
        things = [m for m in self._masked.named_in(match["obj"]) if m.type in THINGS]
        stated = mood == "stated"
        needs = tuple((holder, m, DependencyType.USES) for m in things) if holder.type in THINGS and stated else ()
        claim = f"uses:{_role(match['role'])}" if stated else None
        return [Fact("uses", holder, "architecture", content, mood, claim, needs, tuple(things))] if things else []

    def _slot_fact(self, holder: Mention, slot: str, content: str, mood: Mood, values: Sequence[Mention] = ()) -> Fact:
        word = slot.lower().replace("favourite", "favorite")
        key = slots.SLOT_KEYS.get(word, word.replace(" ", "_"))
        aspect = "preferences" if word.startswith("favorite") else _SLOT_ASPECTS.get(key, "configuration")
        owners = (
            [m for m in values if m.type not in THINGS and m.type is not EntityType.PLACE]
            if aspect == "ownership"
            else []
        )
        stated = mood == "stated"
        needs = (
            tuple((holder, owner, DependencyType.OWNED_BY) for owner in owners)
            if stated and holder.type is not EntityType.PERSON
            else ()
        )
        types = tuple(
            (m.name, EntityType.PERSON) for m in owners if m.type is not EntityType.ORGANISATION or m.found == "name"
        )
        return Fact(f"slot:{key}", holder, aspect, content, mood, key if stated else None, needs, tuple(values), types)

    def kin(self) -> list[Fact]:
        """ "My sister Anna …", "my wife works at …": facts about the one whose sister she is."""
        facts = []
        for pattern in (slots.KIN_NAMED, slots.KIN_CALLED, slots.KIN_DOES):
            for match in pattern.finditer(self._masked.text):
                holders = self._masked.named_in((match["subj"] or "") + (match["own"] or ""))
                if not holders or holders[0].type is not EntityType.PERSON or holders[0].group:
                    continue
                holder, word = replace(holders[0], possessive=False), match["kin"].lower()
                if "body" in match.groupdict():
                    end = end_of(self._masked, match.start("body") + 1)
                    said = self._wording.render(self._masked.at(match.start("body")), self._masked.upto(end))
                    facts.append(
                        Fact("kin", holder, "relationships", f"{self._show(holder)}'s {word} {said}", "stated")
                    )
                    continue
                other = self._masked.named_in(match["obj"])[0]
                if other.found != "name" or other.name == holder.name:
                    continue
                types = () if word in _PETS else ((other.name, EntityType.PERSON),)
                content = f"{self._show(holder)}'s {word} is {other.name}"
                facts.append(
                    Fact(
                        "kin",
                        holder,
                        "relationships",
                        content,
                        "stated",
                        slots.SINGLE_KIN.get(word),
                        (),
                        (other,),
                        types,
                    )
                )
        return facts


def _first_verb(said: str) -> tuple[str, str, str]:
    match = re.match(rf"(?i)((?:(?:{phrases.ADVERB}) )*)([\w']+)(.*)", said, re.DOTALL)
    return (match[1], match[2], match[3]) if match else ("", said, "")


_PETS = word_set("dog cat puppy kitten")
_SLOT_ASPECTS = {
    "owned_by": "ownership",
    "maintained_by": "ownership",
    "led_by": "ownership",
    "status": "status",
    "deadline": "status",
    "release_date": "status",
    "launch_date": "status",
    "birthday": "general",
    "anniversary": "general",
    "hometown": "location",
    "address": "location",
    "job_title": "work",
    "role": "work",
    "email": "general",
    "phone_number": "general",
    "nickname": "general",
    "middle_name": "general",
    "root_cause": "general",
    "goal": "general",
}


def _role(word: str) -> str:
    lower = word.lower()
    return slots.ROLE_NAMES.get(lower, lower)


def _listing(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def _past(verb: str) -> str:
    return {"is moving": "moved", "moves": "moved"}.get(verb.lower(), verb.lower())


_HEAD_END = re.compile(r"(?i) (?:of|for|in|at|on|from|with|that|which|who|to) ")
_PRODUCT = re.compile(
    r"(?i)\b(?:tool|service|system|platform|library|framework|app|application|database|project|"
    r"pipeline|api|website|product|repo|package)\b"
)


def _is_misread(mention: Mention) -> bool:
    """Whether a thing may be taken for a person: the parser's small model does so with names such as Atlas."""
    return mention.type is EntityType.PERSON and mention.found == "name" and not mention.certain


def _is_thing(mention: Mention) -> bool:
    """Whether something can depend on it, or it on something."""
    return (
        mention.type in THINGS | {EntityType.UNKNOWN, EntityType.ORGANISATION} and mention.found != "speaker"
    ) or mention.type is EntityType.PROJECT


def _fits(relation: str, subject: Mention, others: Sequence[Mention]) -> tuple[tuple[str, EntityType], ...] | None:
    """What the relation shows its entities to be, or None where it does not fit them."""
    person = subject.type not in THINGS | {EntityType.PLACE}
    software = any(other.found == "software" or other.type in THINGS for other in others)
    as_person = ((subject.name, EntityType.PERSON),) if subject.found in ("name", "known") and person else ()
    if relation in ("port", "version", "status", "due"):
        fine = subject.type in THINGS | {EntityType.UNKNOWN} and not (
            relation == "port" and subject.type is EntityType.TOOL and not subject.role
        )
        return () if fine else None
    if relation == "is_a":
        if subject.type is EntityType.TOOL or subject.found == "pronoun" or subject.group:
            return None
        if any(other.possessive and not other.group and other.type is EntityType.PERSON for other in others):
            return None  # "is my favourite thing" is an opinion
        return () if subject.type is not EntityType.PLACE else None
    if not person or subject.group:
        return None
    if relation in ("lives_in", "from"):
        return None if software else (*as_person, *((other.name, EntityType.PLACE) for other in others))
    if relation == "works_at":
        systems = any(other.type in THINGS - {EntityType.TOOL} for other in others)
        return None if systems else (*as_person, *((other.name, EntityType.ORGANISATION) for other in others))
    if relation in ("married_to", "reports_to"):
        return None if software else (*as_person, *((other.name, EntityType.PERSON) for other in others))
    return as_person
