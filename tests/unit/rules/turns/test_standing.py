"""Which sentences of a conversation later ones take the place of, and which stay."""

import pytest

from graphmem.rules.turns.sentences import said
from graphmem.rules.turns.standing import SpokenTurn, Standing

FILLER = [
    ("user", "Give the wheels a push, and always mind the rope."),
    ("assistant", "All prices went up at the market, Tove says now."),
    ("assistant", "The pump in the cellar was cleaned by Tove."),
    ("user", "Our neighbour lent us two ladders."),
    ("assistant", "A ladder of wood needs oil once a year."),
    ("user", "The blue paint dries slowly in winter."),
]


def over(*turns: tuple[str, str]) -> list[str]:
    """The sentences that no longer hold, in a talk with others around."""
    told = [turns[0], *FILLER, *turns[1:]]
    standing = Standing([SpokenTurn(role, said(text)) for role, text in told])
    return [point.text for point in standing.points if point.over]


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Retries stop after 45 attempts.", "The retries stop after 110 attempts now."),
        ("The ferry leaves at 16:30.", "So the ferry leaves at 17:15."),
        ("24 sensors, put it in.", "It is 18 sensors per chamber, not 24."),
        ("We go live on Monday 2 November.", "The 2nd of November is off, the printer hangs in customs."),
        ("We take the satellite dish.", "Forget the satellite dish."),
        ("The gauge reports to the barn.", "Instead of the barn we use a box for the reports of the gauge."),
        ("We agreed on per-vault files.", "Ok, scrap the per-vault files."),
        ("Always give me prices with VAT.", "From now on all prices without VAT please."),
        ("Wir nehmen 115200 Baud.", "115200 ist gestorben."),
        ("Die Abnahme ist am 27.11.", "Die Abnahme ist jetzt am 20.11."),
    ],
)
def test_a_later_sentence_takes_the_place_of_an_earlier_one(earlier: str, later: str) -> None:
    assert over(("user", earlier), ("user", later)) == [earlier]


def test_a_short_correction_is_of_the_number_told_just_before() -> None:
    told = Standing([SpokenTurn("user", ["The backup runs at 02:30."]), SpokenTurn("user", ["Make it 03:40 rather."])])
    assert [point.over for point in told.points] == [True, False]
    assert told.told(told.points[1]) == "Make it 03:40 rather. (was 02:30 in “The backup runs at 02:30.”)"


@pytest.mark.parametrize(
    ("correction", "told"),
    [
        ("Hm, 20 minutes flood bed three. Make it 12.", "Hm, 20 minutes flood bed three. Make it 12. (was 20 minutes)"),
        (
            "Nein, doch lieber 12.",
            "Nein, doch lieber 12. (was 20 minutes in “Mara waters in the morning, 20 minutes.”)",
        ),
    ],
)
def test_a_number_alone_is_of_what_was_counted_last(correction: str, told: str) -> None:
    talk = [
        *FILLER,
        ("user", "Mara waters in the morning, 20 minutes."),
        ("assistant", "I put 20 minutes in the plan."),
        ("user", correction),
    ]
    standing = Standing([SpokenTurn(role, said(text)) for role, text in talk])
    *_, waters, plan, last = [point for point in standing.points if not point.text.startswith("Hm")]
    assert (waters.over, plan.over, last.over) == (True, True, False)
    assert standing.told(last) == told


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Region A has 12 boats.", "Region B has 9 lorries."),
        ("The crane on quay 6 lifted its tea.", "The crane on quay 7 lifted its tea."),
        ("We keep job-0 on the queue of region 0.", "We keep job-3 on the queue of region 3."),
        ("Bells 1 to 12 need 200 ms.", "The log keeps 90 days."),
        ("Never open the vault alone.", "Forget the vault."),
        ("Retries stop after 45 attempts.", "Should retries stop after 110 attempts?"),
        ("Retries stop after 45 attempts.", "Maybe retries could stop after 110 attempts."),
        ("We take the satellite dish.", "We do not need a lamp."),
    ],
)
def test_what_speaks_of_something_else_or_only_asks_replaces_nothing(earlier: str, later: str) -> None:
    assert over(("user", earlier), ("user", later)) == []


def test_a_number_that_is_said_again_behind_a_wrong_summary_holds() -> None:
    assert over(
        ("user", "The ammonia alarm is at 15 ppm."),
        ("assistant", "In short: ammonia alarm at 25 ppm."),
        ("user", "No, the ammonia alarm is at 15 ppm."),
    ) == ["In short: ammonia alarm at 25 ppm."]


def test_points_below_a_heading_are_open() -> None:
    told = Standing([SpokenTurn("assistant", ["Still open:", "Beds for five players", "Decided:", "The roof is red"])])
    assert [(point.text, point.open) for point in told.points] == [
        ("Beds for five players", True),
        ("The roof is red", False),
    ]


def test_who_asks_for_a_rule_is_worth_more_than_small_talk() -> None:
    told = Standing(
        [SpokenTurn("user", ["Never push to main before Ada has read it.", "It rains a bit over here today."])]
    )
    rule, rain = told.points
    assert rule.is_rule
    assert rule.worth > rain.worth


def test_a_question_is_open_where_it_is_told_as_such() -> None:
    told = Standing([SpokenTurn("user", ["Still open: who pays for the roof?", "What is still open?"])])
    assert [point.open for point in told.points] == [True, False]
