"""What clauses claim, and when a newer claim leaves no room for an older one. The examples stand for kinds."""

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.adapters.parsing import SpacyParser
from graphmem.model.claims import Claim, ClaimValue
from graphmem.rules.claims import (
    ClaimReader,
    exclusion,
    left,
    main_topic,
    main_value,
    of_one_thing,
    packed,
    tells_besides,
    tells_value,
    terms,
    topics,
    unpacked,
)

PARSER = SpacyParser()


def claims(*sentences: str, person: str = "user", you: str = "") -> list[Claim]:
    """What is claimed in a talk, message by message."""
    reader = ClaimReader()
    found = []
    for text in sentences:
        (parsed,) = PARSER.parse([text])
        for one in parsed.sentences:
            read = reader.read(text, parsed.tokens, one.first, one.last, person, you)
            found += [found_claim.claim for found_claim in read]
    return found


def values(text: str) -> set[tuple[str, str, str]]:
    return {(value.kind, value.key, value.unit) for one in claims(text) for value in one.values}


def signals(old: str, new: str) -> list[str]:
    found = (exclusion(was, now) for was, now in product(claims(old), claims(new)))
    return [one.name for one in found if one]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The lease costs 1,250 euros a month.", ("amount", "1250", "eur/month")),
        ("The lease costs €1250 per month.", ("amount", "1250", "eur/month")),
        ("The fund holds 250k dollars.", ("amount", "250000", "usd")),
        ("The walk takes two hours and ten minutes.", ("amount", "7800", "s")),
        ("The walk takes 130 minutes.", ("amount", "7800", "s")),
        ("The gate opens at half past seven.", ("clock", "7:30?", "")),
        ("The gate opens at 7:30 pm.", ("clock", "19:30", "")),
        ("The gate opens on Mondays.", ("weekday", "monday", "")),
        ("The audit is on 3 May 2026.", ("date", "5-3", "")),
        ("The audit is on May 3rd.", ("date", "5-3", "")),
        ("The shop listens on port 8443.", ("label", "8443", "port")),
        ("The shop runs Envoy 1.30.2.", ("version", "1.30.2", "")),
        ("Ulla works for Brightwater.", ("name", "brightwater", "")),
        ("We are on the Gold plan.", ("name", "gold", "")),
    ],
)
def test_values_are_read_in_a_form_in_which_equal_ones_are_equal(text: str, value: tuple[str, str, str]) -> None:
    assert value in values(text)


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("The lease costs 90 euros.", "stated"),
        ("The lease will cost 90 euros.", "planned"),
        ("We plan to move the lease to 90 euros.", "planned"),
        ("The lease might cost 90 euros.", "supposed"),
        ("Olaf says the lease costs 90 euros.", "reported"),
        ("It is not true that the lease costs 90 euros.", "denied"),
    ],
)
def test_what_is_only_meant_asked_or_passed_on_is_not_stated(text: str, mood: str) -> None:
    told = [one for one in claims(text) if any(value.kind == "amount" for value in one.values)]
    assert {one.mood for one in told} == {mood}


@pytest.mark.parametrize("text", ["Does the lease cost 90 euros?", "If the lease costs 90 euros, we leave."])
def test_questions_and_conditions_tell_no_value(text: str) -> None:
    assert not [one for one in claims(text) if tells_value(one)]


CHANGES = [
    ("The greenhouse is heated to 18 degrees.", "The greenhouse is heated to 21 degrees now."),
    ("The greenhouse is heated to 18 degrees.", "We turned the greenhouse down to 16."),
    ("The annual fee is 40 euros.", "The annual fee is 45 euros."),
    ("The reading circle meets on Thursdays.", "The reading circle meets on Wednesdays now."),
    ("The reading circle meets on Thursdays.", "The reading circle moved from Thursdays to Wednesdays."),
    ("Our invoices live in Paperdeck.", "Our invoices have moved to Filebox."),
    ("harbour-app stores its images in MinIO.", "harbour-app's images moved from MinIO to Garage."),
    ("Ulla works for Brightwater.", "Ulla works for Northlight now."),
    ("I live in Tartu.", "I live in Riga now."),
    ("Ulla heads the archive.", "From today on Marek heads the archive."),
    ("Ulla is the treasurer of the rowing club.", "Marek has taken over as treasurer of the rowing club."),
    ("harbour-app depends on Garage.", "harbour-app no longer depends on Garage."),
    ("We get our bread from Kornblume.", "We have cancelled Kornblume."),
    ("Ulla is the treasurer of the rowing club.", "Marek is the new treasurer of the rowing club."),
    ("harbour-app depends on Garage.", "harbour-app depends on Filebox for its images, and no longer on Garage."),
    ("We are on the Bronze plan.", "We are on the Gold plan now."),
    ("harbour-app uses Redis to send out its mails.", "Since last week harbour-app uses Kafka for mails."),
    ("Marek does the bookings.", "Sanna takes over the bookings from Marek."),
    ("Marek's van goes at 8.", "We moved Marek's van to 9."),
    ("Liv's exam is on 3 May.", "Liv's exam moved to 8 June."),
    ("The class starts at 18:00 in the gym.", "The class begins at 19:00 now."),
]


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_newer_claim_excludes_the_older_one(old: str, new: str) -> None:
    assert signals(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The greenhouse is heated to 18 degrees.", "The hall is heated to 21 degrees now."),
        ("The south greenhouse is heated to 18 degrees.", "The north greenhouse is heated to 21 degrees now."),
        ("The greenhouse is heated to 18 degrees.", "The greenhouse might be heated to 21 degrees soon."),
        ("The greenhouse is heated to 18 degrees.", "Olaf says the greenhouse is heated to 21 degrees now."),
        ("The greenhouse was heated to 18 degrees in 2019.", "The greenhouse is heated to 21 degrees now."),
        ("The greenhouse is heated to 18 degrees.", "In 2019 the greenhouse was heated to 21 degrees."),
        ("The reading circle meets on Thursdays.", "The reading circle also meets on Sundays now."),
        ("The walk takes 130 minutes.", "The walk takes two hours and ten minutes."),
        ("The gate opens at 7:30 pm.", "The gate opens at 19:30."),
        ("The annual fee is 40 euros.", "The annual fee is 40 EUR now."),
        ("In winter the gate closes at six.", "In summer the gate closes at nine."),
        ("The bus to the harbour leaves at 6:10.", "The bus from the harbour leaves at 6:50."),
        ("The pond is 12 metres long.", "The pond is 3 metres deep."),
        ("Ulla speaks Estonian.", "Ulla speaks Latvian now."),
        ("harbour-app uses Redis.", "harbour-app uses Kafka now."),
        ("Ulla is Marek's cousin.", "Pavel is Marek's cousin."),
        ("Ulla's mother lives in Tartu.", "Ulla lives in Riga now."),
        ("Team Heron works with Scrum.", "Team Otter switched from Scrum to Kanban."),
        ("Tram 4 runs every 10 minutes.", "Tram 14 runs every 20 minutes."),
        ("The former owner of the cafe lives in Tartu.", "The owner of the cafe lives in Riga now."),
        ("Ulla is the deputy treasurer of the club.", "Marek is the treasurer of the club now."),
        ("Ulla works for Brightwater.", "Ulla works longer hours for Northlight, too."),
        ("The API accepts JSON.", "The API does not accept JSON above 5 MB."),
        ("Marek came by at noon with a ladder.", "Sanna takes over the bookings from Marek."),
        ("Marek says yes to two visits a year.", "We moved Marek's van to 9."),
        ("Liv has exams on 3 May.", "Liv stays with us from 8 June now."),
        ("Marek hires the tent for 300 euros.", "Marek sold 120 tickets this time instead."),
        ("Bram's boat is moored in Leer.", "The parcel goes to Bram in Emden now."),
    ],
)
def test_both_claims_may_hold(old: str, new: str) -> None:
    assert not signals(old, new)


@pytest.mark.parametrize(
    ("old", "new", "one"),
    [
        ("The deposit is 80 euros.", "That's 240 altogether.", False),
        ("We pay 12 euros an hour.", "The lamp is 95.", False),
        ("We talked about nine euros a seat.", "We are not doing that.", False),
        ("We are seven members.", "We are not doing that.", False),
        ("Sanna cried on Friday.", "Sanna does not sleep.", False),
        ("The deposit is 80 euros.", "The deposit is 95 euros.", True),
        ("We use the old tent.", "We do not use the old tent.", True),
        ("Livestream with Milo.", "The livestream is over.", True),
        ("Only Sanna opens the valve.", "Sanna or Marek opens the valve.", True),
    ],
)
def test_facts_of_different_things_are_known_by_their_words(old: str, new: str, one: bool) -> None:
    assert of_one_thing(claims(old), claims(new)) is one


def test_pronouns_go_on_about_what_was_spoken_of_last() -> None:
    (*_, about_it) = claims("The kiln is a Rohde.", "It runs at 1240 degrees.")
    assert "kiln" in about_it.subject
    (*_, about_her) = claims("Ulla joined in May.", "She works for Brightwater.")
    assert "ulla" in about_her.subject


def test_one_who_is_talked_to_is_who_speaks() -> None:
    (mine,) = claims("I live in Tartu.", person="Ulla")
    (yours,) = claims("You live in Tartu.", person="", you="Ulla")
    assert mine.speaker == yours.speaker == "Ulla"


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_facts_that_exclude_each_other_find_each_other(old: str, new: str) -> None:
    """By the topic or the value that is stored with the older one, and by a word of both."""
    before, after = claims(old), claims(new)
    assert main_topic(before) in all_of(topics, after) or main_value(before) in all_of(left, after)
    assert all_of(terms, before) & all_of(terms, after)


def all_of(words_of: Callable[[Claim], frozenset[str]], told: list[Claim]) -> frozenset[str]:
    return frozenset[str]().union(*map(words_of, told))


def test_small_talk_tells_no_value() -> None:
    talk = ("Good morning!", "That sounds great.", "I had a lovely weekend.", "Thanks for asking.")
    assert not [one for text in talk for one in claims(text) if tells_value(one)]


WORDS = st.text("abc é", min_size=1, max_size=8)


@st.composite
def made_up(draw: st.DrawFn) -> Claim:
    kinds = st.sampled_from(["name", "amount", "weekday", "sort"])
    value = st.builds(ClaimValue, kind=kinds, key=WORDS, unit=WORDS, words=WORDS, role=st.sampled_from(["in", "attr"]))
    return Claim(
        verb=draw(WORDS),
        subject=draw(st.tuples(WORDS)),
        modifiers=draw(st.dictionaries(WORDS, st.tuples(WORDS), max_size=2)),
        values=tuple(draw(st.lists(value, max_size=3))),
        mood=draw(st.sampled_from(["stated", "planned", "reported"])),
        changes=draw(st.booleans()),
    )


@given(st.lists(made_up(), max_size=3))
def test_claims_survive_being_stored(told: list[Claim]) -> None:
    assert list(unpacked(packed(told))) == told


@given(made_up())
def test_nothing_excludes_itself(one: Claim) -> None:
    assert exclusion(one, one) is None


@given(made_up(), made_up())
def test_what_is_not_stated_excludes_nothing(old: Claim, new: Claim) -> None:
    for mood in ("planned", "supposed", "asked", "reported", "denied"):
        assert exclusion(old, new.model_copy(update={"mood": mood})) is None
        assert exclusion(old.model_copy(update={"mood": mood}), new) is None


def test_a_clause_that_a_comma_joins_to_what_somebody_wants_is_stated() -> None:
    (claim, *_) = claims("The caretaker is Nils Abel, he wants everything in writing.")
    assert (claim.mood, [value.key for value in claim.values if value.role == "attr"]) == ("stated", ["nils abel"])
    (_, plan, *_) = claims("We want the caretaker to be Nils Abel.")
    assert plan.mood != "stated"


def test_what_changed_as_well_changed_and_what_is_there_as_well_is_added() -> None:
    assert [one.adds for one in claims("The mooring fee went up as well, 90 euros this year.")] == [False]
    assert [one.adds for one in claims("The office is in Turku as well.")] == [True]


@pytest.mark.parametrize(
    ("older", "newer", "denied"),
    [
        ("My coach is Tove.", "Tove is not my coach.", True),
        ("The kiosk is run by Tove.", "Tove does not run the kiosk.", True),
        ("The kiosk uses Redis.", "The kiosk uses neither Redis nor Kafka.", True),
        ("The kiosk uses Kafka.", "The kiosk uses neither Redis nor Kafka.", True),
        ("The kiosk uses Redis.", "The kiosk stopped using Redis.", True),
        ("The kiosk uses Redis.", "The kiosk never stopped using Redis.", False),
        ("The kiosk uses Redis.", "The kiosk stopped using Kafka.", False),
        ("My coach is Tove.", "Tove is not my sister's coach.", False),
        ("My coach is Tove.", "Ida is not my coach.", False),
        ("Tove runs the kiosk.", "Tove does not run the café.", False),
        ("The kiosk uses Kafka.", "The kiosk does not use RabbitMQ.", False),
    ],
)
def test_a_denial_ends_what_says_the_same_in_another_order(older: str, newer: str, denied: bool) -> None:
    assert signals(older, newer) == (["negation"] if denied else [])


@pytest.mark.parametrize(
    ("older", "newer", "more"),
    [
        ("I am a member at Ironhill, and my brother trains at Nordbank on Sundays.", "I quit Ironhill.", True),
        ("On Tuesdays I climb at Ironhill, on Thursdays I swim.", "I quit Ironhill.", True),
        ("I am a member at Ironhill on Mondays.", "I quit Ironhill.", False),
        ("I am a member at Ironhill.", "I quit Ironhill.", False),
    ],
)
def test_what_also_tells_something_else_does_not_end_as_a_whole(older: str, newer: str, more: bool) -> None:
    (ending,) = claims(newer)
    assert tells_besides(claims(older), ending) == more
