"""The labelled stories are valid, and none was copied from another."""

from itertools import combinations
from pathlib import Path

import pytest
from pydantic import ValidationError

from api.eval_stories import stories
from graphmem.errors import InvalidInput
from graphmem.model.labels_story import Story
from graphmem.rules.turns.sentences import said

FOLDER = Path(__file__).parents[1] / "data" / "stories"
FOLDERS = ("tuned", "practice", "held")


def test_each_folder_holds_valid_stories_of_both_languages() -> None:
    found = {folder: stories(FOLDER / folder) for folder in FOLDERS}
    assert all(len(some) >= 2 for some in found.values())
    assert {story.language for some in found.values() for story in some} == {"en", "de"}
    assert {story.language for story in found["held"]} == {"en", "de"}


def test_no_two_stories_share_a_sentence() -> None:
    told = [
        {
            one
            for message in story.messages
            if message.role != "tool"
            for one in said(str(message.content))
            if len(one) > 40
        }
        for folder in FOLDERS
        for story in stories(FOLDER / folder)
    ]
    assert not [one & other for one, other in combinations(told, 2) if one & other]


def test_a_label_that_no_message_says_is_refused(tmp_path: Path) -> None:
    story = stories(FOLDER / "tuned")[0].model_dump(mode="json", by_alias=True, exclude_none=True)
    wrong = story | {"pending": {"words": ["zeppelin"]}}
    with pytest.raises(ValidationError, match="zeppelin"):
        Story.model_validate(wrong)
    (tmp_path / "a.json").write_text("{}")
    with pytest.raises(InvalidInput, match="no labelled story"):
        stories(tmp_path)
