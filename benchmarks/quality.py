"""How well truth, extraction, supersession and continuity do on our labelled examples: written to docs/quality.md."""

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from api.cli_eval import conversations, evaluate_extraction, table
from api.eval_continuity import LONG_TOKENS, continuity_table, evaluate_continuity
from api.eval_sessions import CAPS
from api.eval_stories import evaluate_stories, stories_table
from api.eval_supersession import evaluate_supersession, labelled_pairs, supersession_table
from api.eval_truth import evaluate_truth, stories, truth_table
from api.extracting import draw
from benchmarks.scripted_reader import LabelledReader
from benchmarks.service import ROOT, paragraph, running_service, write_section
from graphmem import __version__
from graphmem.adapters.parsing import SpacyParser
from graphmem.rules.evaluation import retirement
from graphmem.settings import load_settings
from tests.scripted_model import scripted_model

PAGE = ROOT / "docs" / "quality.md"
EXAMPLES = ROOT / "tests" / "data" / "extraction"
PAIRS = ROOT / "tests" / "data" / "supersession"
STORIES = ROOT / "tests" / "data" / "truth"
CONVERSATIONS = ROOT / "tests" / "data" / "continuity"
LONG_STORIES = ROOT / "tests" / "data" / "stories"
ROUNDS = 3


def messages_per_s(folder: Path) -> float:
    """Messages that one thread reads in a second of its processor time, the median of some rounds."""
    examples = [one for sub in sorted(folder.iterdir()) if sub.is_dir() for one in conversations(sub)]
    parser, limits = SpacyParser(), load_settings().extraction_limits
    rates = []
    for _ in range(ROUNDS + 1):
        began = time.thread_time()
        for one in examples:
            draw(one.messages, one.project, parser, limits)
        rates.append(sum(len(one.messages) for one in examples) / (time.thread_time() - began))
    return sorted(rates[1:])[ROUNDS // 2]


def pair_ms(folder: Path) -> float:
    """Milliseconds of processor time to judge one pair for the first time, its texts not read before."""
    pairs = [pair for file in sorted(folder.glob("*.jsonl")) for pair in labelled_pairs(file)]
    began = time.thread_time()
    for pair in pairs:
        retirement(pair, load_settings().supersession_min_confidence)
    return 1_000 * (time.thread_time() - began) / len(pairs)


def truth_report() -> str:
    """The section on truth, asked of a service of our own."""
    how = paragraph(f"""
        Measured {datetime.now(UTC):%Y-%m-%d} with `make eval`: graphmem {__version__}, no model; each story is sent to
        a service, for an agent of its own, and asked about. The stories were written by people who had not seen the
        rules. `tuned` and `practice` are looked at when rules change, `held` is only totalled. "Value changed" are the
        questions whose answer was another one before; "by door" are stories of whole sessions, and of single
        statements that were remembered. How each figure is defined: `graphmem/rules/evaluation/truth.py`; how a story
        is made: `tests/data/truth/README.md`.""")
    return "\n\n".join(["## Truth", how, "\n".join(truth_table(evaluate_truth(stories(STORIES))))])


def supersession_report() -> str:
    """The section on supersession."""
    speed = f"{pair_ms(PAIRS):.2f}"
    how = paragraph(f"""
        Measured {datetime.now(UTC):%Y-%m-%d} with `make eval`: graphmem {__version__}, no model; each pair is two
        merely read facts of one aspect, judged by the rule behind every write. All files but `reported` are looked at
        when rules change, but for a third of `fresh_written` and of `later_written`; `unseen`, `fresh_unseen`,
        `written`, `latest_written`, `plain_written` and these two were measured before they were opened
        (`docs/decisions/0049-compare-statements-without-their-framing.md`,
        `docs/decisions/0055-compare-values-wherever-they-stand.md`,
        `docs/decisions/0058-treat-a-longer-subject-as-another.md`).
        `reported` was written by somebody who had not seen the rules; none of its pairs was looked at, but its
        totals were seen while rules changed, and one choice (which passives have one value) followed them.
        Classes and labels: `tests/data/supersession/README.md`. "found" are the pairs in which the older fact
        would be retired, "labels" those in which it should be.
        A pair takes {speed} ms of one core.""")
    return "\n\n".join(["## Supersession", how, "\n".join(supersession_table(evaluate_supersession(PAIRS)))])


def continuity_report() -> str:
    """The section on continuity, asked of a service of our own."""
    with running_service() as service:
        evaluated = evaluate_continuity(CONVERSATIONS, service.url)
    caps = f"{', '.join(map(str, CAPS[:-1]))} and {CAPS[-1]}"
    how = paragraph(f"""
        Measured {datetime.now(UTC):%Y-%m-%d} with `make eval`: graphmem {__version__}, no model; each conversation is
        sent to a service, for an agent that knows nothing else, and ended. The words of the rules were chosen on
        `tuned`; the probe that scores overlays is trained on `tuned`, `practice` and the conversations in `overlays`,
        and the words for a shift were chosen on the first two, so that both are known by heart: what the probe makes of
        conversations it is trained without is in decision 0048. `held` was written by somebody who had not seen the
        rules; nothing was trained on it, and no rule follows from it. A label of high is met by a score of 6 or more,
        one of low by a score below 5; what a reader may see either way is not counted. Of shifts and references,
        "found" is the share of the labels, "right" that of what was found. "One session" holds the conversations of
        coding work once more, one after the other, with routine work between the turns up to {LONG_TOKENS:,} tokens:
        the ratio is that of the texts, a recall has ten hits, recaps are asked for with caps of {caps} tokens, and
        expansion goes down from the session's summaries. What is
        labelled: `tests/data/continuity/README.md`.""")
    return "\n\n".join(["## Continuity", how, "\n".join(continuity_table(evaluated))])


def stories_report() -> str:
    """The section on long sessions, asked of a service of our own."""
    how = paragraph(f"""
        Measured {datetime.now(UTC):%Y-%m-%d} with `make eval`: graphmem {__version__}, no model; each story, a session
        of 150 turns and more, is sent to a service, for an agent that knows nothing else, and ended. They were written
        and labelled by people who had not seen the rules. `tuned` and `practice` are looked at when rules change, and
        recaps learn from both what a sentence is worth; `held` is only totalled. A recap is asked for at four sizes:
        must-haves are the 20 things that somebody who comes back needs most; "as if it held" are lines that tell what
        was replaced. A context has 1,000 tokens, of which half are for the question; a recall ten hits. What is
        labelled: `tests/data/stories/README.md`; how each figure is defined:
        `graphmem/rules/evaluation/stories.py`.""")
    return "\n\n".join(["## Long sessions", how, "\n".join(stories_table(evaluate_stories(LONG_STORIES)))])


def extraction_rows(folder: Path) -> list[str]:
    """Lines of the table: each folder as the rules read it, then as the scripted model does.

    The model of the settings is not asked: the page tells the same wherever it is made.
    """
    with scripted_model() as server:
        server.otherwise = LabelledReader(
            one for sub in sorted(folder.iterdir()) if sub.is_dir() for one in conversations(sub)
        )
        named = {"GRAPHMEM_MODEL_URL": server.url, "GRAPHMEM_MODEL_NAME": "scripted"}
        return table(evaluate_extraction(folder, load_settings({**os.environ, **named})))


def report() -> str:
    """The section on extraction."""
    how = paragraph(f"""
        Measured {datetime.now(UTC):%Y-%m-%d} with `make eval`: graphmem {__version__}, no network, an empty graph, each
        conversation chunk by chunk, as a session is read. `tuned` and `practice` are looked at when rules
        change, and the scorers are trained on these and on `fresh`, which they therefore know by heart. `reported` and
        `held` show what they do elsewhere: they were written by people who had not seen the rules, nothing was trained
        on them, and no rule follows from them. What is labelled and how it is compared:
        `tests/data/extraction/README.md`. A share without anything to share is `—`.""")
    model = paragraph("""
        The rows "model" were read by a model, over HTTP and through everything that guards its answers. It is a
        scripted one, no language model: it answers from the labels, in the sentences of the conversation, and adds to
        each answer an entity that nobody named, a fact that nobody said, and one with a name that is not in it. So
        these rows tell how much of a good answer arrives through the bounds and checks, and that no invention
        does, not how well a language model reads.""")
    speed = paragraph(f"""
        Speed of the rules: {messages_per_s(EXAMPLES):.0f} messages a second of one core ({os.cpu_count()} cores, load
        of the machine {os.getloadavg()[0]:.1f}), parser included; goal: 150.""")
    return "\n\n".join(["## Extraction", how, "\n".join(extraction_rows(EXAMPLES)), model, speed])


REPORTS: dict[str, Callable[[], str]] = {
    "truth": truth_report,
    "extraction": report,
    "supersession": supersession_report,
    "continuity": continuity_report,
    "stories": stories_report,
}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    parser.add_argument("--dry", action="store_true", help="prints, but leaves the page alone")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(REPORTS)}; without any, all")
    given = parser.parse_args(argv)
    if strange := sorted({*given.parts} - {*REPORTS}):
        parser.error(f"there is no {strange[0]}; there is {', '.join(REPORTS)}")
    for name in given.parts or REPORTS:
        text = REPORTS[name]()
        print(text)
        if not given.dry:
            write_section(PAGE, name, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
