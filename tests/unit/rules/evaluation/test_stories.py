"""What counts as told, as if it held, and as half a sentence."""

import re
from pathlib import Path

import pytest

from api.eval_stories import stories
from graphmem.model.labels_story import Story
from graphmem.rules.evaluation import score_answers, score_recap


@pytest.fixture(scope="module")
def story() -> Story:
    """A story with labels of our own."""
    read = stories(Path(__file__).parents[3] / "data" / "stories" / "tuned")[0]
    one = read.must[0].model_copy(update={"words": (("port",), ("9092",))})
    gone = read.replaced[0].model_copy(update={"words": (("port",), ("8080",)), "by": (("9092",),)})
    return read.model_copy(
        update={
            "must": (one,),
            "replaced": (gone,),
            "pending": read.pending.model_copy(update={"words": (("drill",),)}),
            "open": (read.pending.model_copy(update={"words": (("roof",),)}),),
        }
    )


@pytest.mark.parametrize(
    ("line", "must", "wrong"),
    [
        ("- The port is 9092. [m1]", 1, 0),
        ("- The port is 90921. [m1]", 0, 0),
        ("- The port is 8080. [m1]", 0, 1),
        ("- The port is 9092 (was 8080). [m1]", 1, 0),
        ("- The port was 8080. [m1]", 0, 0),
        ("- Is the port 8080? [m1]", 0, 0),
    ],
)
def test_a_line_tells_what_holds_or_what_was_replaced(story: Story, line: str, must: int, wrong: int) -> None:
    score = score_recap(story, f"## Rules\n{line}")
    assert (score.must.met, len(score.current_wrong)) == (must, wrong)


def test_what_the_recap_marks_as_outdated_is_not_told(story: Story) -> None:
    text = "- The port is 8080. [m1]"
    found = re.search("The port is 8080.", text)
    assert found
    assert score_recap(story, text, [found.span()]).current_wrong == ()


def test_pending_and_open_count_in_their_sections_only(story: Story) -> None:
    right = score_recap(story, "## Pending task\n- Asked last: the drill. [m1]\n## Open questions\n- The roof? [m2]")
    wrong = score_recap(story, "## Last turns\n- user: the drill. [m1]\n- The roof. [m2]")
    assert (right.pending.met, right.open.met) == (1, 1)
    assert (wrong.pending.met, wrong.open.met) == (0, 0)


@pytest.mark.parametrize("line", ["- Do this: 1. [m1]", "- Abnahme am 27. [m1]", "- We use the [m1]…"])
def test_a_line_that_stops_within_a_sentence_is_half(story: Story, line: str) -> None:
    assert score_recap(story, line).halves
    assert not score_recap(story, "- We use the port 42. [m1]").halves


def test_a_context_answers_what_it_says(story: Story) -> None:
    said = " ".join(word[0] for word in story.questions[0].words)
    assert score_answers(story, [said, *[""] * (len(story.questions) - 1)]).met == 1
