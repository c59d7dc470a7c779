"""Tries the built package with each Python that is named: a clean environment with the locked packages and the wheel,
far from the checkout, in which a service starts, remembers, recalls and stops. Exit code 1 when one of them fails or
is not there.

    python scripts/try_pythons.py python3.11 python3.12 python3.13 python3.14

A name is a program on the path, a file, or a version that pyenv has. Neo4j is the managed one, in a folder of its own;
its jars and the embedding model come from the cache (GRAPHMEM_CACHE_DIR).
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphmem.client import GraphmemClient
from graphmem.settings import load_settings

ROOT = Path(__file__).resolve().parent.parent
UV = Path(sys.executable).with_name("uv")
READY_WITHIN_S = 180
STOP_WITHIN_S = 60

PROGRAM = """
import json, platform, sys, time
from importlib.metadata import version
import api, graphmem
from api.demo import sample_story
from graphmem.client import GraphmemClient
from graphmem.graph.statements import cypher_folder
with GraphmemClient(sys.argv[1], agent_id=sys.argv[2]) as memory:
    memory.remember(content="Tom waters the plants")
    memory.remember(content="ledger-api runs on port 7000")
    newer = memory.remember(content="ledger-api now runs on port 7100")
    hits = memory.recall(query="Which port does ledger-api use?", limit=3).hits
    def embedded():
        status = memory.status()
        return status.embedder.state == "ready" and not status.backlog.embedding
    give_up = time.monotonic() + 120
    while not embedded():
        assert time.monotonic() < give_up, "nothing was embedded"
        time.sleep(0.2)
    # So the models run with this Python too. The words of this question are in no text.
    meant = memory.recall(query="network address", limit=3).hits
print(json.dumps({
    "superseded": len(newer.superseded),
    "recalled": hits[0].text,
    "signals": sorted({name for hit in meant for name in hit.why}),  # by which the last question found them
    "files": [str(path) for path in (api.__file__, graphmem.__file__, cypher_folder(), sample_story())],
    "versions": {"python": platform.python_version()} | {
        name: version(name) for name in ("graphmem", "neo4j", "numpy", "onnxruntime", "pydantic", "spacy")},
}))
"""


class Failed(Exception):
    """One step did not work; says which, and the last it printed."""


def build(folder: Path, *what: str, source: Path = ROOT) -> Path:
    """The folder with what was built of a source tree: --wheel, --sdist, or nothing said: an sdist, and a wheel of
    it."""
    # Without isolation: hatchling is in this environment, by its lock.
    run(UV, "build", "--quiet", "--no-build-isolation", "--python", sys.executable, *what, "--out-dir", folder, source)
    return folder


def install(interpreter: str, wheel: Path, folder: Path) -> Path:
    """The Python of a new environment with the locked packages and the wheel, nothing else."""
    run(UV, "venv", "--quiet", "--no-python-downloads", "--python", interpreter, folder)
    python = folder / "bin" / "python"
    packages = ("--quiet", "--python", python, "--require-hashes", "-r", ROOT / "requirements" / "run.lock")
    try:  # make run needs no network the second time, neither does this
        run(UV, "pip", "install", "--offline", *packages)
    except Failed:
        run(UV, "pip", "install", *packages)
    run(UV, "pip", "install", "--quiet", "--offline", "--python", python, "--no-deps", wheel)
    return python


def try_out(python: Path, folder: Path, settings: Mapping[str, str], agent_id: str = "wheel") -> dict[str, Any]:
    """What the installed package did and which files it used; everything that was started has ended.

    The working directory holds packages of the same names, as a user's own project may: ours must not fall for them.
    """
    for name in ("api", "graphmem"):
        (folder / "project" / name).mkdir(parents=True)
        (folder / "project" / name / "__init__.py").write_text(
            "raise SystemExit('imported from the working directory')\n"
        )
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    own = {"PATH": os.environ["PATH"], "HOME": str(folder), "GRAPHMEM_DATA_DIR": str(folder / "data")}
    own["GRAPHMEM_AOT_CACHE"] = "off"  # it would be made for nobody
    where: Any = {"cwd": folder / "project", "env": own | settings}
    log = folder / "serve.log"
    with log.open("wb") as lines:
        command = [python.with_name("graphmem"), "serve", "--port", str(port)]
        service = subprocess.Popen(command, stdout=lines, stderr=lines, **where)
        try:
            wait_until_ready(f"http://127.0.0.1:{port}", service)
            told = run(python, "-P", "-c", PROGRAM, f"http://127.0.0.1:{port}", agent_id, **where)
        except Failed as failed:
            raise Failed(f"{failed}\nThe service said:\n{log.read_text()[-3000:]}") from None
        finally:
            service.terminate()
            service.wait(STOP_WITHIN_S)
    if service.returncode:
        raise Failed(f"The service ended with {service.returncode}:\n{log.read_text()[-3000:]}")
    answer: dict[str, Any] = json.loads(told)
    return answer


def wait_until_ready(url: str, service: "subprocess.Popen[bytes]") -> None:
    """Errors: Failed when the service ends instead."""
    give_up = time.monotonic() + READY_WITHIN_S
    with GraphmemClient(url) as client:
        while not client.is_ready():
            if service.poll() is not None or time.monotonic() > give_up:
                raise Failed(f"The service was not ready within {READY_WITHIN_S} s, or ended ({service.returncode}).")
            time.sleep(0.2)


def run(*command: str | Path, **where: Any) -> str:
    """What a command printed. Errors: Failed."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **where)
    if done.returncode:
        said = f"{done.stdout}\n{done.stderr}".strip()[-3000:]
        raise Failed(f"{Path(command[0]).name} {command[1]} ended with {done.returncode}:\n{said}")
    return done.stdout


def find(name: str) -> str:
    """The interpreter of a name. Errors: Failed when there is none."""
    places = [shutil.which(name)]
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    places += sorted(map(str, pyenv.glob(f"versions/{name.removeprefix('python')}*/bin/python")), reverse=True)
    for place in filter(None, places):
        # Asked itself: what pyenv puts on the path may be a name without a Python.
        asked = subprocess.run([place, "-c", "import sys; print(sys.executable)"], capture_output=True, text=True)
        if asked.returncode == 0:
            return asked.stdout.strip()
    raise Failed(f"{name} is not on the path, and pyenv has none.")


def main(names: list[str]) -> int:
    cache = {"GRAPHMEM_CACHE_DIR": str(load_settings().cache_dir)}
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        wheel = next(build(Path(folder) / "dist", "--wheel").glob("*.whl"))
        for number, name in enumerate(names):
            started = time.monotonic()
            place = Path(folder) / str(number)
            try:
                answer = try_out(install(find(name), wheel, place / "env"), place, cache)
            except Failed as failed:
                failures += 1
                print(f"{name}: FAILED\n{failed}", flush=True)
                continue
            said = ", ".join(f"{package} {version}" for package, version in answer["versions"].items())
            print(f"{name}: recalled {answer['recalled']!r} in {time.monotonic() - started:.0f} s; {said}", flush=True)
            shutil.rmtree(place)
    return 1 if failures or not names else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
