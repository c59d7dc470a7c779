"""The sample story over a real socket: the notebooks run against it, and the documents show what it really gives."""

import contextlib
import io
import json
import os
import re
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import nbformat
import pytest
from nbclient import NotebookClient

from api import demo
from api.transcripts import load, read_transcript
from graphmem.client import GraphmemClient
from graphmem.model.answers import Status
from tests.service import Service

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
STORY = ROOT / "examples" / "atlas-shop.jsonl"
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "examples" / "README.md")
pytestmark = pytest.mark.timeout(900)  # the whole story is loaded and read first


class Story(NamedTuple):
    """The sample story of an agent, and what the service said of it before anybody asked for more."""

    agent_id: str
    shown: str
    status: Status


@pytest.fixture(scope="module")
def story(service: Service) -> Story:
    """The sample story, loaded and shown as `make run` does both."""
    agent_id = f"notebooks-{uuid4().hex}"
    with STORY.open(encoding="utf-8") as lines, GraphmemClient(service.url, agent_id=agent_id) as client:
        loaded = load(client, read_transcript(lines), wait=True)
        with demo.out.capture() as captured:
            demo.show(client, loaded, STORY)
        return Story(agent_id, captured.get(), client.status())


def fenced(page: Path, language: str) -> list[str]:
    """The blocks of code of a page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_sample_output_of_the_readme_is_that_of_the_story(story: Story) -> None:
    """Line by line and in order; `…` stands for lines left out, and what follows the last title is addresses."""
    (block,) = [block for block in fenced(ROOT / "README.md", "text") if block.startswith(STORY.name)]
    promised, _, addresses = block.partition("\nServing until Ctrl-C\n")
    assert "/docs   (header X-Agent-Id: demo)" in addresses
    lines = [line for line in promised.splitlines() if line.strip() not in {"", "…"}]
    assert len(lines) >= 12
    real = iter(story.shown.splitlines())
    assert [line for line in lines if line not in real] == [], story.shown


def test_counts_of_the_story_in_the_documents_are_the_real_ones(story: Story) -> None:
    counts = story.status.counts.model_dump()
    shown = 0
    for page in PAGES:
        for block in fenced(page, "json"):
            for found in re.findall(r'"counts": (\{"sessions": 8, .*?\})', block):
                claimed = json.loads(found)
                assert claimed == {name: counts[name] for name in claimed}, page.name
                shown += 1
        for learned in re.findall(
            r"(\d+) entities, (\d+) facts and (\d+) dependencies; (\d+) facts", page.read_text("utf-8")
        ):
            superseded = story.status.supersession.applied
            real = (counts["entities"], counts["attributes"], counts["dependencies"], superseded)
            assert tuple(map(int, learned)) == real, page.name
            shown += 1
    assert shown >= 3, "the patterns no longer find the figures"


def test_the_python_example_prints_what_the_page_says(story: Story, service: Service) -> None:
    (code,) = [block for block in fenced(ROOT / "docs" / "python.md", "python") if "http://127.0.0.1:8000" in block]
    (output,) = fenced(ROOT / "docs" / "python.md", "text")
    assert 'agent_id="demo"' in code
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code.replace("http://127.0.0.1:8000", service.url).replace('"demo"', repr(story.agent_id)), {})  # noqa: S102
    assert printed.getvalue() == output


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_kept_without_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == [], cell.id
            assert cell.execution_count is None, cell.id


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning", "ignore::UserWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_and_shows_something_in_every_section(
    path: Path, service: Service, story: Story, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GRAPHMEM_TOUR_URL", service.url)
    monkeypatch.setenv("GRAPHMEM_TOUR_AGENT", story.agent_id)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep))
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}).execute()
    silent = [
        cell.id
        for cell in notebook.cells
        if cell.cell_type == "code"
        and cell.id != "close"
        and not any(out.get("text", "").strip() for out in cell.outputs)
    ]
    assert not silent, f"cells that printed nothing: {silent}"
