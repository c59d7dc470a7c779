"""The story of `make run`: how its service is started."""

from typing import Any

import pytest

from api import demo
from graphmem.settings import load_settings


class Started(Exception):
    """The service would run now."""


@pytest.mark.parametrize(("said", "used"), [(None, "use"), ("auto", "use"), ("use", "use"), ("off", "off")])
def test_nothing_is_trained_while_the_story_is_shown(
    monkeypatch: pytest.MonkeyPatch, said: str | None, used: str
) -> None:
    def started(command: list[str], *, env: dict[str, str], **_: Any) -> None:
        assert command[-1] == "serve"
        raise Started(load_settings(env).aot_cache)

    if said:
        monkeypatch.setenv("GRAPHMEM_AOT_CACHE", said)
    monkeypatch.setattr(demo.subprocess, "Popen", started)
    monkeypatch.setattr(demo, "require_free_port", lambda _: None)
    with pytest.raises(Started, match=f"^{used}$"):
        demo.run(load_settings(), demo.sample_story())
