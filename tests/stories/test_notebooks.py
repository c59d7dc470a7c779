"""The notebooks, carried out against a service with the sample story, over a real socket."""

import os
from pathlib import Path
from uuid import uuid4

import nbformat
import pytest
from nbclient import NotebookClient

from api.transcripts import load, read_transcript
from graphmem.client import GraphmemClient
from tests.service import Service

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
STORY = ROOT / "examples" / "atlas-shop.jsonl"
pytestmark = pytest.mark.timeout(900)  # the whole story is loaded and read first


@pytest.fixture(scope="module")
def story_agent(service: Service) -> str:
    """An agent that holds the sample story."""
    agent_id = f"notebooks-{uuid4().hex}"
    with STORY.open(encoding="utf-8") as lines, GraphmemClient(service.url, agent_id=agent_id) as client:
        load(client, read_transcript(lines), wait=True)
    return agent_id


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
    path: Path, service: Service, story_agent: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GRAPHMEM_TOUR_URL", service.url)
    monkeypatch.setenv("GRAPHMEM_TOUR_AGENT", story_agent)
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
