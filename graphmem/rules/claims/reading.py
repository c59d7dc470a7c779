"""What each clause of a sentence claims, by its grammar: who or what it is about, with which values, in which mood.

`ClaimReader` reads the sentences of a talk in their order, so that "it" and "she" mean what was spoken of last.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from graphmem.model.claims import Claim, ClaimValue, Mood
from graphmem.model.parsed import Token
from graphmem.rules.claims.repair import repaired
from graphmem.rules.claims.times import held
from graphmem.rules.claims.topic import HELD
from graphmem.rules.claims.values import Found, find_values
from graphmem.rules.claims.words import (
    ALSO,
    BECOME,
    CEASE,
    CHANGE,
    DIRECTED,
    DOUBT,
    FADING,
    FRAMES,
    GONE,
    INTEND,
    LEAVE,
    LIGHT,
    MEANT,
    OTHERWISE,
    PART,
    PREPOSITIONS,
    REPLACE,
    REPORT,
    SUPPOSING,
    WHEN,
    name_words,
)
from graphmem.rules.language.relative_dates import FoundDate
from graphmem.rules.language.stems import stem

_SUBORDINATE = frozenset({"ccomp", "advcl", "relcl", "acl", "parataxis", "csubj", "csubjpass"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl", "csubj"})
_HELPING = frozenset({"aux", "auxpass", "neg"})
_VERBS = ("VERB", "AUX")
_NOMINAL = ("NOUN", "PROPN")
_TELLING = ("NOUN", "PROPN", "ADJ", "X")
_MODIFIES = frozenset({"compound", "amod", "nmod", "nummod", "quantmod", "appos", "npadvmod"})
_GOING_ON = frozenset({"it", "that", "this", "they", "those"})
_NAMED_AGAIN = {"it": False, "they": True}
"""Pronouns that as the subject of a clause surely mean what was spoken of, rather than all that was said; whether it is
several."""
_OF_TIME = frozenset({"clock", "weekday", "date", "year"})
_FALSE = frozenset({"false", "untrue", "wrong"})
_DENIES = frozenset({"no", "neither", "nor", "never", "without", "nobody", "none"})
_MISREAD = frozenset(
    ("acomp", "oprd", "punct", "dep", "cc", "advmod", "npadvmod", "nummod", "quantmod", "prep", "advcl", "ROOT")
)
"""Relations in which no name stands."""
_MERELY = frozenset({"only", "just", "merely", "simply"})
_ARTICLES = frozenset({"the", "a", "an", "our", "my", "your", "their"})
_ASIDE = frozenset({"appos", "npadvmod", "intj", "dep"})
_ORIGIN = frozenset({"come", "bring"})
"""Verbs of change behind which "from" tells where something is from, unless "to" follows."""
_PASSED_OVER = _ARTICLES | {"now", "no", "longer", "not", "currently", "still"}
_FROM_ON = re.compile(r"\bfrom (?:now|today|tomorrow|this|next|\w+day)\b[^,]* on\b", re.IGNORECASE)
_FARTHEST = 60
_BEHIND_NOT = 3
"""So few words behind "not" a value stands that it denies."""
_FRAME_VERBS = frozenset(verb for verb, _ in FRAMES)


@dataclass(frozen=True, slots=True)
class FoundClaim:
    """A claim, and where its verb stands in the message. `pronoun` is where the subject of the clause stands if that
    goes on about what was spoken of before, `phrase` where the words stand that name what is spoken of from then on."""

    at: int
    claim: Claim
    pronoun: tuple[int, int] | None = None
    phrase: tuple[int, int] | None = None


@dataclass(slots=True)
class _Spoken:
    """What was spoken of last: words of the topic with their places, nouns with their modifiers, names."""

    topic: dict[str, str] = field(default_factory=dict)
    modifiers: dict[str, set[str]] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    head: str = ""
    done_to: bool = False
    """Whether somebody changes something: "it" is what is changed then."""
    timed: bool = False
    """Whether it was told when that is, so that "it is Monday" may be about it."""

    def as_subject(self) -> dict[str, str]:
        """The topic of a clause whose subject goes on about this: its subject, else its object."""
        if self.done_to and "o" in self.topic.values():
            return {word: "s" if place == "o" else "a" for word, place in self.topic.items()}
        if "s" in self.topic.values():
            return self.topic
        return {word: "s" if place == "o" else place for word, place in self.topic.items()}


class ClaimReader:
    """Reads one talk. `person` of `read` is who says I, '' where nobody does; `you` is whom the speaker talks to."""

    def __init__(self) -> None:
        self._spoken: _Spoken | None = None
        self._people: list[str] = []
        self._plural: bool | None = None
        """Whether what was spoken of last, by a noun, is several."""

    def read(
        self,
        text: str,
        tokens: Sequence[Token],
        first: int,
        last: int,
        person: str,
        you: str,
        names: Iterable[tuple[int, int, str]] = (),
        dates: Sequence[FoundDate] = (),
    ) -> list[FoundClaim]:
        """The claims of the sentence in tokens [first, last), clause by clause; `names` are known ones, with the code
        points [start, end) where they stand, as `dates` have them."""
        if first >= last:
            return []
        tokens = repaired(tokens, first, last)
        sentence = _Sentence(text, tokens, first, last, names, dates)
        found = []
        changed = False
        for clause in sentence.clauses():
            if sentence.tells_when(clause):
                continue
            draft = _Draft(sentence, clause)
            goes_on = self._goes_on(draft)
            changed = self._with_topic(draft, changed) if goes_on else changed or draft.changes
            named = draft.spoken_of()
            again = goes_on and draft.pronoun in _NAMED_AGAIN and _NAMED_AGAIN[draft.pronoun] == self._plural
            pronoun = draft.spans(clause.subject[:1]) if again else None
            at, claim = tokens[clause.head].start, draft.claim(person, you)
            found.append(FoundClaim(at, claim, pronoun, draft.spans(named)))
            self._plural = draft.is_plural(named) if named else self._plural
            if draft.topic:
                spoken = [word for name in draft.names() for word in name_words(name)]
                self._spoken = _Spoken(
                    dict(draft.topic),
                    dict(draft.modifiers),
                    spoken,
                    draft.head,
                    bool(draft.changed()),
                    draft.tells_time(),
                )
            if draft.subject_name:
                self._people = sorted(name_words(draft.subject_name))
        return found

    def _goes_on(self, draft: "_Draft") -> bool:
        """Whether a clause is about what was spoken of before, rather than about what time it is."""
        if draft.pronoun in ("he", "she"):
            return True
        if self._spoken is None or (draft.tells_only_time() and not self._spoken.timed):
            return False
        return draft.pronoun in _GOING_ON or draft.lacks_subject or draft.points_back

    def _with_topic(self, draft: "_Draft", changed: bool) -> bool:
        """Give a clause about "it" or "she" the topic of those before; whether the sentence tells a change so far."""
        if draft.pronoun in ("he", "she"):
            draft.topic = dict.fromkeys(self._people, "s") | draft.topic
        elif (spoken := self._spoken) is not None:
            draft.topic = (spoken.as_subject() if draft.pronoun in _NAMED_AGAIN else spoken.topic) | draft.topic
            for noun, modifiers in spoken.modifiers.items():
                draft.modifiers[noun] = draft.modifiers[noun] | modifiers
            draft.head = draft.head or spoken.head
            if draft.points_back:
                draft.topic = dict.fromkeys(spoken.names, "a") | draft.topic
            draft.changes = draft.changes or changed
        return changed or draft.changes


@dataclass(slots=True)
class _Clause:
    """A verb with its words, without those of other clauses; `subject` may stand in the clause it is joined to."""

    head: int
    tokens: list[int]
    subject: list[int]
    parent: "_Clause | None" = None


class _Sentence:
    def __init__(
        self,
        text: str,
        tokens: Sequence[Token],
        first: int,
        last: int,
        names: Iterable[tuple[int, int, str]],
        dates: Sequence[FoundDate],
    ) -> None:
        self.dates = dates
        starts = {tokens[place].start: place for place in range(first, last)}
        ends = {tokens[place].end: place + 1 for place in range(first, last)}
        self.named = {starts[a]: (ends[b], name) for a, b, name in names if a in starts and b in ends}
        self.tokens = tokens
        self.first, self.last = first, last
        self.text = text[tokens[first].start : tokens[last - 1].end]
        self.whole = text
        self.below: dict[int, list[int]] = defaultdict(list)
        for place in range(first, last):
            if tokens[place].head != place:
                self.below[tokens[place].head].append(place)
        self._heads = {place for place in range(first, last) if self._leads(place)}

    def _leads(self, place: int) -> bool:
        """Whether a word is the head of a clause."""
        token = self.tokens[place]
        if token.head == place or not self.first <= token.head < self.last:
            return True
        if any(letter.isdigit() for letter in token.text):
            return False  # an identifier that the parser takes for a verb
        return token.pos in _VERBS and (token.dep in _SUBORDINATE or token.dep == "conj")

    def clause_of(self, place: int) -> int:
        for _ in range(_FARTHEST):
            if place in self._heads:
                break
            place = self.tokens[place].head
        return place

    def clauses(self) -> list[_Clause]:
        words: dict[int, list[int]] = defaultdict(list)
        for place in range(self.first, self.last):
            words[self.clause_of(place)].append(place)
        found: dict[int, _Clause] = {}
        for head in sorted(self._heads):
            inside = words[head]
            subject = [place for place in inside if self.tokens[place].dep in _SUBJECTS]
            direct = [place for place in subject if self.tokens[place].head == head]
            found[head] = _Clause(head, inside, direct or subject[:1])
        for head, clause in found.items():
            above = self.tokens[head].head
            if above != head and self.first <= above < self.last:
                clause.parent = found.get(self.clause_of(above))
            if not clause.subject and clause.parent and self.tokens[head].dep == "conj":
                clause.subject = clause.parent.subject
        return [
            clause for clause in found.values() if any(self.tokens[place].pos != "PUNCT" for place in clause.tokens)
        ]

    def tells_when(self, clause: _Clause) -> bool:
        """Whether a clause only tells when another one holds: "before he moved to England"."""
        if self.tokens[clause.head].dep != "advcl":
            return False
        below = (self.tokens[place] for place in self.below[clause.head])
        return any(one.dep in ("mark", "advmod") and one.text.lower() in WHEN for one in below)

    def is_called_false(self, clause: _Clause) -> bool:
        """Whether a clause behind says so of it, or of what somebody claims in it: "…, which is false"."""
        told = {clause.head, clause.parent.head if clause.parent else clause.head}
        return any(
            self.clause_of(self.tokens[place].head) in told
            and any(self.tokens[one].text.lower() in _FALSE for one in self.below[place])
            and any(self.tokens[one].text.lower() in ("which", "that") for one in self.below[place])
            for place in self._heads
            if self.tokens[place].dep in ("relcl", "ccomp", "advcl") and place > clause.head
        )

    def under(self, place: int) -> Iterator[int]:
        """A word and what depends on it, but for other clauses and what it is joined with."""
        left = [place]
        while left:
            one = left.pop()
            yield one
            left += [d for d in self.below[one] if self.tokens[d].dep not in _SUBORDINATE | {"cc", "punct", "conj"}]


def _lemma(token: Token) -> str:
    # Of a word that it has not met, the parser makes another lemma in every sentence.
    return (token.text if token.pos in ("PROPN", "NUM") or token.rare else token.lemma).lower()


def _word(token: Token) -> str:
    """The key of a word of the topic, which all its forms share; of an identifier that of its last part."""
    return stem(_lemma(token).rstrip("-_/").replace("_", "-").replace("/", "-").split("-")[-1])


class _Draft:
    """A clause on its way to a claim."""

    def __init__(self, sentence: _Sentence, clause: _Clause) -> None:
        self._sentence, self._clause, self._tokens = sentence, clause, sentence.tokens
        self._ceased = self._what_ceased()
        self._shared = self._helped_along()
        self.verb = self._tokens[clause.head if self._ceased is None else self._ceased].lemma.lower()
        self._lower = [self._tokens[place].text.lower() for place in clause.tokens]
        self.words = " ".join(self._lower)
        self.takes_over = self.verb == "take" and "over" in self._lower
        self._in_subject = {below for place in clause.subject for below in sentence.under(place)}
        self._in_object = {
            below
            for place in clause.tokens
            if self._tokens[place].dep in ("dobj", "attr", "acomp") and self._tokens[place].head == clause.head
            for below in sentence.under(place)
        }
        self._contrast_from, self._contrast = self._contrasted()
        self._places = sorted({*clause.tokens, *self._in_subject})
        self.head = next((_word(self._tokens[one]) for one in clause.subject if self._tokens[one].pos in _NOMINAL), "")
        self.values: list[ClaimValue] = []
        self.former: list[ClaimValue] = []
        self._valued: set[int] = set()
        self._named: set[int] = set()
        for found in self._found():
            value = self._value(found)
            self._valued.update(range(found.first, found.last))
            self._named.update(range(found.first, found.last) if found.kind == "name" else ())
            (self.former if self._is_former(found, value) else self.values).append(value)
        self.modifiers: dict[str, set[str]] = defaultdict(set)
        self.topic = self._topic()
        self.values += self._sorts()
        for at, thing in self._things():
            (self.former if self._is_denied(at) and thing.role not in HELD else self.values).append(thing)
        self.role = self._role_noun()
        if self.role:
            self.topic.setdefault(stem(self.role), "o")
        came_about = self._tokens[clause.head].tag in ("VBD", "VBN") and self.verb in CHANGE | REPLACE | LEAVE | PART
        self.changes = came_about or bool(self._contrast) or bool(OTHERWISE.search(self.words))
        # What went up as well did so like something else; what is read as well is read beside it.
        self.adds = bool(ALSO.search(self.words)) and not (came_about and self.verb in CHANGE)
        subject = [self._tokens[place] for place in clause.subject]
        self.pronoun = next((token.text.lower() for token in subject if token.pos == "PRON"), "")
        names = [value for value in self.values if value.kind == "name" and value.role == "subject"]
        self.subject_name = names[0].key if names else ""
        self.lacks_subject = not self.topic and not self.subject_name and self.verb in CHANGE
        self.points_back = self.verb != "be" and any(
            self._tokens[place].text.lower() in _GOING_ON and self._tokens[place].dep in ("dobj", "pobj")
            for place in clause.tokens
        )
        for value in self.values:
            if value.kind == "name" and value.role in ("subject", "owner"):
                self.topic |= {word: self.topic.get(word, "s") for word in name_words(value.key)}

    def _helped_along(self) -> list[int]:
        """The helping verbs and the denial that a joined verb shares with the one it is joined to: "can't lift 30 kg or
        climb stairs"."""
        head, parent = self._tokens[self._clause.head], self._clause.parent
        below = [self._tokens[place] for place in self._sentence.below[self._clause.head]]
        alone = head.tag not in ("VB", "VBN", "VBG") or any(one.dep in _HELPING | _SUBJECTS for one in below)
        if parent is None or head.dep != "conj" or alone:
            return []
        own = [place for place in self._sentence.below[parent.head] if self._tokens[place].dep in _HELPING]
        return [place for place in own if place < parent.head]

    def _what_ceased(self) -> int | None:
        """The verb of what somebody stops to do, which the clause denies: "stopped using Redis"."""
        if self._tokens[self._clause.head].lemma.lower() not in CEASE:
            return None
        below = (place for place in self._sentence.below[self._clause.head] if self._tokens[place].dep == "xcomp")
        return next((place for place in below if self._tokens[place].pos == "VERB"), None)

    def tells_only_time(self) -> bool:
        """Whether it tells no value but what time it is: "it is Monday"."""
        told = [value for value in (*self.values, *self.former) if value.role not in HELD]
        alone = all(value.kind in _OF_TIME and value.role in ("attr", "npadvmod") for value in told)
        return self.verb == "be" and not self.topic and bool(told) and alone

    def tells_time(self) -> bool:
        return any(value.kind in _OF_TIME for value in (*self.values, *self.former))

    def spoken_of(self) -> list[int]:
        """The places of the words that name its subject, or what it does something to, by a noun; none where it goes on
        about what was spoken of."""
        heads = self.changed() or [one for one in self._clause.subject if self._tokens[one].pos in _NOMINAL]
        if not heads and self.pronoun not in _GOING_ON:
            heads = [
                place
                for place in self._clause.tokens
                if self._tokens[place].dep in ("dobj", "attr") and self._tokens[place].head == self._clause.head
            ]
        heads = [one for one in heads if self._tokens[one].pos == "NOUN"]
        if len(heads) != 1:
            return []
        of = {
            below
            for place in self._sentence.below[heads[0]]
            if self._tokens[place].text.lower() == "of"
            for below in self._sentence.under(place)
        }
        return [place for place in sorted(self._sentence.under(heads[0])) if place <= heads[0] or place in of]

    def is_plural(self, places: Sequence[int]) -> bool:
        """Whether the noun that the words at these places hang on names several."""
        return any(self._tokens[one].tag == "NNS" and self._tokens[one].head not in places for one in places)

    def changed(self) -> list[int]:
        """The places of nouns that somebody changes: "the society put the rent up"."""
        objects = [one for one in self._clause.tokens if self._tokens[one].dep == "dobj"]
        objects = [one for one in objects if self._tokens[one].head == self._clause.head]
        return [one for one in objects if self.verb in CHANGE and self._tokens[one].pos == "NOUN"]

    def spans(self, places: Sequence[int]) -> tuple[int, int] | None:
        """Where the words at these places stand in the message, if they stand together."""
        if not places or places[-1] - places[0] != len(places) - 1:
            return None
        return self._tokens[places[0]].start, self._tokens[places[-1]].end

    def names(self) -> list[str]:
        return [value.key for value in self.values if value.kind == "name"]

    def claim(self, person: str, you: str) -> Claim:
        said = set(self._lower)
        of_me = bool(said & {"my", "our"}) or self.pronoun in ("i", "we")
        of_you = bool(said & {"your"}) or self.pronoun == "you"
        time = held(self._tokens, self._clause, self._sentence.dates)
        return Claim(
            verb=self.verb,
            subject=tuple(sorted(word for word, place in self.topic.items() if place == "s")),
            object=tuple(sorted(word for word, place in self.topic.items() if place == "o")),
            about=tuple(sorted(word for word, place in self.topic.items() if place == "a")),
            head=self.head,
            modifiers={noun: tuple(sorted(words)) for noun, words in sorted(self.modifiers.items()) if words},
            values=tuple(self.values),
            former=tuple(self.former),
            speaker=person if of_me else you if of_you else "",
            role=self.role,
            mood=self._mood(),
            negative=self._is_negative(),
            changes=self.changes,
            takes_over=self.takes_over,
            adds=self.adds,
            past=self._is_past(),
            passive=any(self._tokens[place].dep == "nsubjpass" for place in self._clause.subject),
            since=time.since,
            until=time.until,
            still=time.still,
        )

    def _found(self) -> Iterator[Found]:
        """The values in each unbroken run of the words of the clause and of its subject."""
        places = self._places
        start = 0
        for end in range(1, len(places) + 1):
            if end == len(places) or places[end] != places[end - 1] + 1:
                yield from find_values(self._tokens, places[start], places[end - 1] + 1, self._sentence.named)
                start = end

    def _value(self, found: Found) -> ClaimValue:
        inside = range(found.first, found.last)
        out = [place for place in inside if self._tokens[place].head not in inside or self._tokens[place].head == place]
        place = found.first if found.kind == "label" else out[-1] if out else found.last - 1
        role, head = self._place(place)
        words = " ".join(self._tokens[one].text for one in inside)
        if found.kind == "name" and self._is_misread_subject(out[-1] if out else place, role):
            role, head = "subject", ""
        if found.kind == "weekday" and role == "npadvmod":
            role = "on"  # "every Monday"
        if found.kind == "name" and role in _MISREAD:
            role = self._role_by_order(found.first) or role  # the parser takes what it has not met for anything
        if role == "conj" and found.first in self._contrast and self.former:
            role = self.former[-1].role
        if role == "on" and found.kind == "name" and _FROM_ON.search(self._before(found.first)):
            role = "subject"
        return ClaimValue(kind=found.kind, key=found.key, unit=found.unit, words=words, role=role, head=head)

    def _is_misread_verb(self) -> bool:
        """Whether the parser takes the verb for a noun, and its subject for a part of that: "Molma works at Kasor"."""
        head = self._tokens[self._clause.head]
        return head.pos == "NOUN" and head.head == self._clause.head and self.verb in _FRAME_VERBS

    def _is_misread_subject(self, place: int, role: str) -> bool:
        """Whether a name stands before the verb of a clause without a subject, and belongs to it in a way in which no
        name does: the parser has not met it."""
        above, head = self._tokens[place].head, self._clause.head
        verb = self._tokens[head].pos in _VERBS or self._is_misread_verb()
        misread = role in _MISREAD | {"compound", "amod"}
        return misread and verb and not self._clause.subject and place < above <= head

    def _role_by_order(self, place: int) -> str:
        """The role of a name by the words before it: behind a preposition, or behind the verb."""
        before = place - 1
        while before > self._clause.head and self._tokens[before].text.lower() in _PASSED_OVER:
            before -= 1
        if self._tokens[before].text.lower() in PREPOSITIONS:
            return self._tokens[before].text.lower()
        return ("attr" if self.verb == "be" else "dobj") if before == self._clause.head else ""

    def _before(self, place: int) -> str:
        return self._sentence.whole[self._tokens[self._clause.tokens[0]].start : self._tokens[place].start].rstrip()

    def _place(self, place: int) -> tuple[str, str]:
        """The role of a word in its clause, and the noun that it modifies."""
        word, head = place, ""
        for _ in range(_FARTHEST):
            token = self._tokens[word]
            above = self._tokens[token.head]
            if token.dep not in _MODIFIES or token.head == word or above.pos not in _NOMINAL:
                break
            if token.head == self._clause.head:
                break
            head = head or (_word(above) if above.pos == "NOUN" else "")
            word = token.head
        token = self._tokens[word]
        if token.dep == "poss":
            return "owner", _word(self._tokens[token.head])
        if self._is_told(token):
            return "attr", head
        if place in self._in_subject:
            return "subject", head
        if token.dep in ("pobj", "pcomp"):
            return self._tokens[token.head].text.lower(), head
        return token.dep, head

    def _is_told(self, token: Token) -> bool:
        """Whether a day without a preposition is what something is, rather than when: "is no longer 14 January"."""
        below = [self._tokens[one] for one in self._sentence.below[self._clause.head]]
        return (
            self.verb == "be"
            and token.dep == "npadvmod"
            and token.head == self._clause.head
            and token.start > self._tokens[self._clause.head].start
            and not any(one.dep in ("attr", "acomp", "prep") and one.pos != "NUM" for one in below)
        )

    def _is_former(self, found: Found, value: ClaimValue) -> bool:
        """Whether the clause says that the value holds no more: from A, instead of A, replaced A, A is gone."""
        before = [token.text.lower() for token in self._tokens[max(0, found.first - 4) : found.first]]
        if before and before[-1] in _ARTICLES:
            before.pop()
        told = any(value.role not in ("subject", "owner") for value in self.values)
        if told and (self._leaves(found.first) or self._is_set_aside(found.first)):
            return True
        if self._is_denied(found.first) and value.role not in HELD:
            return True
        if self.verb in PART and value.role in ("with", "from") and value.kind == "name":
            return True
        if before[-1:] == ["from"] and (self.verb in CHANGE or self.takes_over):
            return self.verb not in _ORIGIN or "to" in self._lower
        if before[-2:] in (["instead", "of"], ["rather", "than"]) or before[-2:] == ["place", "of"]:
            return True
        passive = any(self._tokens[place].dep == "auxpass" for place in self._clause.tokens)
        if self.verb in REPLACE | LEAVE and (value.role == "dobj" or (value.role == "subject" and passive)):
            return True
        return value.role == "subject" and self.verb == "be" and bool(GONE.intersection(self._lower))

    def _contrasted(self) -> tuple[range, range]:
        """What the clause denies, and what it says to be so in its place: "is no longer A but B"; empty where it does
        not."""
        places = self._clause.tokens
        denied = [
            at for at in places if self._tokens[at].dep == "neg" or self._tokens[at].text.lower() in ("not", "n't")
        ]
        joined = [at for at in places if self._tokens[at].text.lower() == "but" and denied and at > denied[0] + 1]
        if not joined or self._tokens[denied[0] + 1].text.lower() in _MERELY:
            return range(0), range(0)
        told = [at for at in places if at > joined[0] and self._tokens[at].text[0].isalnum()]
        return (range(denied[0], joined[0]), range(joined[0], places[-1] + 1)) if told else (range(0), range(0))

    def _is_denied(self, place: int) -> bool:
        return place in self._contrast_from and place not in self._contrast

    def _leaves(self, place: int) -> bool:
        """Whether "no longer" stands close before a value: "on A, and no longer on B"."""
        before = [token.text.lower() for token in self._tokens[max(0, place - 4) : place]]
        return ("no", "longer") in pairwise(before)

    def _set_aside(self) -> Iterator[int]:
        """Where "not" denies only what follows it, beside what is said: "to Kafka and not to Redis", "8080, not 80"."""
        for before, place in pairwise(self._clause.tokens):
            joined = self._tokens[before].text.lower() in ("and", "but", ",")
            if joined and self._tokens[place].dep == "neg" and self._tokens[place].head != self._clause.head:
                yield place

    def _is_set_aside(self, place: int) -> bool:
        return any(0 < place - one <= _BEHIND_NOT for one in self._set_aside())

    def _topic(self) -> dict[str, str]:
        """The content words but for values: s of the subject, o of the object, a of all else; and nouns' modifiers."""
        topic: dict[str, str] = dict.fromkeys(self._told_apart(), "s")
        for place in self._places:
            token = self._tokens[place]
            word = _lemma(token)
            modifies = token.dep in ("amod", "compound", "nmod", "poss") and self._tokens[token.head].pos in _NOMINAL
            if place in self._valued:
                if modifies and token.dep != "amod" and token.pos != "PRON":
                    self.modifiers[_word(self._tokens[token.head])].add(stem(word))
                continue
            misread = place == self._clause.head and self._is_misread_verb()
            if (word in LIGHT and not modifies) or token.pos not in _TELLING or misread or not token.text[0].isalnum():
                continue
            if token.pos == "ADJ" and (word in FADING or token.dep not in ("amod", "compound", "nmod", "acomp")):
                continue
            topic[stem(word)] = "s" if place in self._in_subject else "o" if place in self._in_object else "a"
            if modifies:
                self.modifiers[_word(self._tokens[token.head])].add(stem(word))
        return topic

    def _told_apart(self) -> Iterator[str]:
        """What tells the subject from others of its name, beside its own words: "the bus from the airport", "the man
        who repairs our roof", "read requests"."""
        for place in self._in_subject:
            token = self._tokens[place]
            if token.dep == "prep" and token.text.lower() in DIRECTED:
                yield token.text.lower()
            if token.pos == "VERB" and token.dep in ("amod", "compound", "nmod"):
                yield _word(token)
            for below in self._sentence.below[place]:
                if self._tokens[below].dep in ("relcl", "acl"):
                    inside = (self._tokens[one] for one in self._sentence.under(below))
                    yield from (_word(one) for one in inside if one.pos in ("NOUN", "PROPN", "VERB"))

    def _sorts(self) -> Iterator[ClaimValue]:
        """What a thing of some kind is, told apart from others of its kind: the Team plan, a junior analyst."""
        for place in self._clause.tokens:
            token = self._tokens[place]
            noun = _lemma(token)
            if token.pos != "NOUN" or noun in LIGHT or place in self._named:
                continue
            role, _ = self._place(place)
            if role not in ("attr", "dobj", "on", "as"):
                continue
            told = [below for below in self._sentence.below[place] if below < place]
            telling = [self._tokens[one] for one in told if self._tokens[one].dep in ("compound", "amod", "nmod")]
            telling = [one for one in telling if _lemma(one) not in FADING | LIGHT]
            if telling:
                words = " ".join(one.text for one in (*telling, token))
                key = " ".join(sorted(_word(one) for one in telling))
                yield ClaimValue(kind="sort", key=key, unit=stem(noun), words=words, role=role)

    def _things(self) -> Iterator[tuple[int, ClaimValue]]:
        """Where and as what somebody or something is, by a common noun, with its place."""
        for place in self._clause.tokens:
            token, preposition = self._tokens[place], self._tokens[self._tokens[place].head]
            role = preposition.text.lower()
            if preposition.dep == "conj":  # "as a clerk but as a nurse"
                preposition = self._tokens[preposition.head]
            if token.dep != "pobj" or token.pos != "NOUN" or preposition.head != self._clause.head:
                continue
            noun = _lemma(token)
            if noun in LIGHT or place in self._valued or (self.verb, role) not in FRAMES:
                continue
            words = [stem(noun), *self.modifiers.get(stem(noun), ())]
            yield place, ClaimValue(kind="thing", key=" ".join(sorted(words)), words=noun, role=role)

    def _role_noun(self) -> str:
        """The noun of "X is the owner of Y", "X is our vet", "X is captain" and "the vet is X", '' for none."""
        for place in self._clause.tokens:
            token = self._tokens[place]
            named = place in self._named
            told = token.dep == "attr" or (named and token.dep in ("acomp", "oprd"))
            if not told or token.head != self._clause.head:
                continue
            below = [self._tokens[one] for one in self._sentence.below[place]]
            kinds = {one.text.lower() for one in below if one.dep in ("det", "poss")}
            if (
                (token.pos == "NOUN" or token.text.isupper() or (token.rare and bool(kinds)))
                and not named
                and not kinds & {"a", "an"}
                and (kinds or token.tag == "NN")
            ):
                return _lemma(token)
            if (token.pos == "PROPN" or named) and len(self._clause.subject) == 1:
                subject = self._tokens[self._clause.subject[0]]
                return _lemma(subject) if subject.pos == "NOUN" else ""
        if self.verb in REPLACE or self.takes_over:
            taken = [self._tokens[place] for place in self._clause.tokens if self._tokens[place].dep == "pobj"]
            return next((_lemma(one) for one in taken if self._tokens[one.head].text.lower() == "as"), "")
        return ""

    def _is_negative(self) -> bool:
        """Whether it denies: "without" takes another denial back ("can't start without Redis"), and "on A, and no
        longer on B" only tells that B is left."""
        if self._contrast:
            return False
        places = [*self._shared, *self._clause.tokens]
        leaving = {
            one for one, after in pairwise(places) if self._tokens[after].text.lower() == "longer" and self.former
        }
        leaving |= set(self._set_aside()) if self.former else set()
        denying = {
            self._tokens[place].text.lower() == "without"
            for place in places
            if place not in leaving
            and not self._is_aside(place)
            and (
                self._tokens[place].text.lower() in _DENIES
                or (self._tokens[place].dep == "neg" and not leaving.intersection(self._sentence.below[place]))
            )
        }
        return (len(denying) == 1) != (self._ceased is not None)

    def _is_aside(self, place: int) -> bool:
        """Whether a word stands in what is only added to the clause: "no, …", "…, no exceptions", "not Ana, …"."""
        for _ in range(_FARTHEST):
            if place == self._clause.head:
                return False
            if self._tokens[place].dep in _ASIDE:
                return True
            place = self._tokens[place].head
        return False

    def _is_past(self) -> bool:
        """Whether it tells what was, rather than what came of it: "lived", but not "moved" or "has taken over", nor
        "cost", which may be either."""
        if self.verb in CHANGE | REPLACE | LEAVE | BECOME | PART or self.takes_over or self._ceased is not None:
            return False
        verbs = [self._tokens[place] for place in self._sentence.below[self._clause.head]]
        verbs = [token for token in verbs if token.dep in ("aux", "auxpass")]
        verbs = [self._tokens[self._clause.head], *verbs]
        return any(token.tag == "VBD" and token.text.lower() != token.lemma.lower() for token in verbs)

    def _mood(self) -> Mood:
        inside = [self._tokens[place] for place in self._clause.tokens]
        helping = [*inside, *(self._tokens[place] for place in self._shared)]
        helpers = {token.text.lower() for token in helping if token.dep in ("aux", "auxpass") or token.tag == "MD"}
        marks = {token.text.lower() for token in inside if token.dep == "mark"}
        if self._sentence.text.rstrip().endswith("?"):
            return "asked"
        if self._sentence.is_called_false(self._clause):
            return "denied"
        if helpers & SUPPOSING or marks & {"if", "unless", "whether"} or DOUBT.search(self.words):
            return "supposed"
        if self._tokens[self._clause.head].dep in ("csubj", "csubjpass"):
            return "supposed"
        if {"to", "be"} <= helpers and "to be" in self.words:
            return "planned"
        if helpers & {"will", "'ll", "wo", "shall"} or "going to" in self.words:
            return "planned"
        if any(token.pos == "VERB" and token.lemma.lower() in INTEND for token in inside):
            return "planned"
        return self._mood_from_above()

    def _mood_from_above(self) -> Mood:
        """What the clauses above make of this one: "she says that", "it is not true that", "we consider".."""
        clause = self._clause
        while clause.parent is not None:
            above, relation = clause.parent, self._tokens[clause.head].dep
            if relation in ("ccomp", "acl", "parataxis"):
                verb = self._tokens[above.head].lemma.lower()
                words = {self._tokens[place].text.lower() for place in above.tokens}
                joined_by_comma = relation == "ccomp" and clause.head < above.head
                if (verb in INTEND or words & MEANT) and not joined_by_comma:
                    return "supposed"
                said_by_me = any(self._tokens[place].text.lower() in ("i", "we") for place in above.subject)
                helpers = {
                    self._tokens[place].text.lower() for place in above.tokens if self._tokens[place].dep == "aux"
                }
                if helpers & SUPPOSING:
                    return "supposed"
                denied = any(self._tokens[place].dep == "neg" for place in self._sentence.below[above.head])
                denied = denied or any(self._tokens[place].text.lower() in _DENIES for place in above.subject)
                if (words & _FALSE or denied) and not joined_by_comma:
                    return "denied"
                if verb in REPORT and relation == "ccomp" and not said_by_me:
                    return "reported"
            clause = above
        return "stated"
