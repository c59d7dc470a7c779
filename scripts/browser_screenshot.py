# /// script
# requires-python = ">=3.11"
# dependencies = ["playwright>=1.50"]
# ///
"""Takes docs/images/neo4j-browser.png: the sample story in Neo4j Browser, drawn by a query of cypher/browser.

`make screenshot` runs it. It needs Chromium; everything it starts works on a folder of its own and is gone at the end.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "images" / "neo4j-browser.png"
QUERIES = ROOT / "cypher" / "browser"
QUERY = "entity.cypher"
PARAMETERS = ":param {agent: 'demo', name: 'billing-service', project: 'atlas-shop'}"
SIZE = {"width": 1440, "height": 900}
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
READY_WITHIN_S = 300.0
LAYOUT_S = 8.0
"""The drawing has come to rest after this time."""

# What a person says once in the settings: a light theme, no tour, no statistics, no relationships beyond the answer.
SETTINGS = """
const kept = JSON.parse(localStorage.getItem('neo4j.settings') || '{}');
localStorage.setItem('neo4j.settings', JSON.stringify({...kept, theme: 'normal', initCmd: '',
  playImplicitInitCommands: false, autoComplete: false, showWheelZoomInfo: false, allowUserStats: false,
  allowCrashReports: false}));
"""


def main() -> int:
    chromium = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if chromium is None:
        print(f"No {', '.join(PROGRAMS)} was found. Install one, on Debian: apt-get install chromium", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="graphmem-screenshot-") as folder, story_served(Path(folder)) as graphmem:
        address = {
            name: value.strip()
            for name, _, value in (line.partition(" ") for line in graphmem("db", "browser").splitlines())
        }
        password = graphmem("db", "password").strip()
        with sync_playwright() as playwright:
            # Chromium's own sandbox needs a user who is not root; nothing but our own Neo4j is opened.
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            page = browser.new_page(
                viewport=SIZE, color_scheme="light", permissions=["clipboard-read", "clipboard-write"]
            )
            log_in(page, address["Browser"], address["Connect"], password)
            draw(page)
            PICTURE.parent.mkdir(exist_ok=True)
            page.screenshot(path=PICTURE)
            browser.close()
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size // 1024} KB")
    return 0


@contextmanager
def story_served(folder: Path) -> Iterator["Command"]:
    """graphmem with the sample story loaded, as commands to ask it with; it has stopped when this ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    ask = Command({**os.environ, "GRAPHMEM_DATA_DIR": str(folder), "GRAPHMEM_PORT": port, "GRAPHMEM_HOST": "127.0.0.1"})
    with (folder / "serve.log").open("wb") as log:
        service = subprocess.Popen(ask.line("serve"), env=ask.environment, cwd=ROOT, stdout=log, stderr=log)
    try:
        wait_until_ready(f"http://127.0.0.1:{port}/readyz", service, folder / "serve.log")
        ask("ingest", "examples/atlas-shop.jsonl", "--agent", "demo")
        yield ask
    finally:
        service.send_signal(signal.SIGINT)
        service.wait(60)


class Command:
    """`graphmem` with the settings of this run; a call answers what it prints."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment

    def line(self, *words: str) -> list[str]:
        return [str(ROOT / ".venv" / "bin" / "graphmem"), *words]

    def __call__(self, *words: str) -> str:
        asked = subprocess.run(
            self.line(*words), env=self.environment, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
        )
        return asked.stdout


def wait_until_ready(url: str, service: "subprocess.Popen[bytes]", log: Path) -> None:
    give_up_at = time.monotonic() + READY_WITHIN_S
    while time.monotonic() < give_up_at and service.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):  # noqa: S310 - our own service
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.25)
    raise SystemExit(f"The service did not start:\n{log.read_text(errors='replace')[-2000:]}")


def log_in(page: Page, url: str, bolt: str, password: str) -> None:
    page.goto(url)
    page.get_by_test_id("boltaddress").wait_for()
    page.evaluate(SETTINGS)
    page.reload()
    scheme, _, host = bolt.partition("://")
    page.get_by_test_id("bolt-scheme-select").select_option(f"{scheme}://")
    page.get_by_test_id("boltaddress").fill(host)
    page.get_by_test_id("username").fill("neo4j")
    page.get_by_test_id("password").fill(password)
    page.get_by_test_id("connect").click()
    page.get_by_test_id("disconnectedBanner").wait_for(state="detached")


def draw(page: Page) -> None:
    """Our style, the parameters and the query, as they are pasted by hand; then its frame over the whole page."""
    run(page, f":style {(QUERIES / 'graphmem.grass').read_text(encoding='utf-8')}")
    run(page, PARAMETERS)
    run(page, ":clear")
    run(page, (QUERIES / QUERY).read_text(encoding="utf-8"))
    page.locator("svg.neod3viz .node").first.wait_for()
    page.locator("[data-testid=frame] button[title=Fullscreen]").click()
    page.wait_for_timeout(LAYOUT_S * 1000)
    page.locator("button.zoom-out + button").click()  # zoom to fit, which has no name
    page.wait_for_timeout(1500)
    centre(page)


def centre(page: Page) -> None:
    """Drags the drawing into the middle of what the overview leaves free: zoom to fit takes no notice of it."""
    drawing = page.locator("svg.neod3viz .layer.nodes").bounding_box()
    free = page.locator("svg.neod3viz").bounding_box()
    overview = page.get_by_text("Overview", exact=True).bounding_box()
    if drawing is None or free is None or overview is None:
        raise SystemExit("Neo4j Browser looks different: its drawing or its overview was not found.")
    shift = (free["x"] + overview["x"]) / 2 - (drawing["x"] + drawing["width"] / 2)
    corner = (free["x"] + 20, free["y"] + 20)
    page.mouse.move(*corner)
    page.mouse.down()
    page.mouse.move(corner[0] + shift, corner[1], steps=5)
    page.mouse.up()
    page.mouse.move(0, 0)
    page.wait_for_timeout(500)


def run(page: Page, text: str) -> None:
    """Pastes: typed text would get a second closing bracket from the editor."""
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.locator(".monaco-editor").first.click()
    page.keyboard.press("Control+A")
    page.keyboard.press("Control+V")
    page.wait_for_timeout(300)
    page.get_by_test_id("editor-Run").click()
    page.wait_for_timeout(2000)


if __name__ == "__main__":
    sys.exit(main())
