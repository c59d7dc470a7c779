"""Trains the scorer that says whether two facts give different values to one thing, on stories and labelled pairs.

python scripts/train_likeness.py                  train on the looked-at stories and pairs, write the weights
python scripts/train_likeness.py --check FILE     train without writing, measure on the stories of another file
"""

import argparse
import asyncio
import json
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import combinations
from pathlib import Path

from train_extractor import Example, Model, fit

from api.eval_truth import stories
from api.extracting import draw
from graphmem.adapters.embedding import LocalEmbedder
from graphmem.adapters.parsing import SpacyParser
from graphmem.model.claims import Claim
from graphmem.model.inputs import NewMessage
from graphmem.model.labels_truth import TruthAsk, TruthMessage, TruthStory
from graphmem.rules.claims import Alike, ClaimReader, alike, circumstances
from graphmem.rules.extraction import Scorer, packed
from graphmem.rules.language.own_words import own_words
from graphmem.settings import load_settings

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = ROOT / "graphmem" / "rules" / "weights" / "likeness.json.gz"
STORIES = [ROOT / "tests" / "data" / "truth" / f"{name}.json" for name in ("tuned", "practice")]
PAIRS = ROOT / "tests" / "data" / "supersession"
UNSEEN = ("reported",)
KEPT_BACK = {"fresh_written": lambda line: line % 3 == 0, "later_written": lambda line: line % 3 == 0}
"""Lines that are not to be looked at, see the README of the pairs."""
PAIRS_WORTH = 0.3
"""What a pair counts beside one of a story: most of the pairs that exclude nothing were made to look as if they did."""
MODEL = Model("likeness", lambda _, __: None, ("other",), strength=0.1, caution=-0.23, least=2)


@dataclass(frozen=True, slots=True)
class Told:
    """A fact of a story, with the words it comes from."""

    group: int
    place: int
    content: str
    source: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """What the scorer is asked about two facts: `right` whether the newer one takes the place of the older; `asks` are
    the questions of the story that it decides."""

    of: str
    pairs: tuple[Alike, ...]
    together: bool
    right: bool
    asks: frozenset[tuple[str, int]] = frozenset()
    words: tuple[str, str] = ("", "")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--check", type=Path, help="stories to measure on, which are not trained on")
    options.add_argument("--show", type=float, default=1.1, help="print the pairs from this probability on")
    given = options.parse_args()
    warnings.simplefilter("ignore")
    parser = SpacyParser()
    seen = [case for file in STORIES for story in stories(file)[file.stem] for case in cases(story, parser)]
    made = list(labelled(parser))
    checked = (
        [case for some in stories(given.check).values() for story in some for case in cases(story, parser)]
        if given.check
        else []
    )
    near = asyncio.run(cosines([*seen, *made, *checked]))
    examples = [*examples_of(seen, near, 1.0), *examples_of(made, near, PAIRS_WORTH)]
    scorer = fit(MODEL, examples)
    if given.check:
        report(checked, near, scorer, given.show)
        return
    report(seen, near, scorer, 1.1)
    WEIGHTS.write_bytes(packed(scorer))
    print(f"{len(examples)} examples, {len(scorer.weights)} features, {WEIGHTS.stat().st_size / 1024:.0f} KiB")


def cases(story: TruthStory, parser: SpacyParser) -> Iterator[Case]:
    """Each two facts of a story that the scorer would be asked about, the older first, but for what is not labelled."""
    for old, new in combinations(facts(story, parser), 2):
        if (old.group, old.place) >= (new.group, new.place):
            continue
        asks = frozenset((story.id, n) for n, ask in enumerate(story.asks) if replaces(ask, old, new))
        if not asks and any(unsure(ask, old, new) for ask in story.asks):
            continue
        pairs = tuple(alike(old.content, old.claims, new.content, new.claims))
        if pairs:
            yield Case(story.id, pairs, old.group == new.group, bool(asks), asks, (old.content, new.content))


def facts(story: TruthStory, parser: SpacyParser) -> list[Told]:
    limits = load_settings().extraction_limits
    told = []
    for group, (project, messages) in enumerate(groups(story)):
        found = draw(messages, project, parser, limits)
        for one in found.attributes:
            span = found.statements[one.statement].source
            text = str(messages[span.message].content)
            if one.kind == "attribute":
                said = text[span.start : span.end]
                told.append(Told(group, span.message * 10_000 + span.start, one.content, said, one.claims))
    return told


def groups(story: TruthStory) -> Iterator[tuple[str | None, list[NewMessage]]]:
    for one in story.remember:
        said = TruthMessage(role="user", content=one if isinstance(one, str) else one["content"])
        yield None, [message(said)]
    for session in story.sessions:
        yield (
            session.project,
            [
                message(one).model_copy(update={"created_at": session.start + timedelta(minutes=minute)})
                for minute, one in enumerate(session.messages)
            ],
        )


def message(one: TruthMessage) -> NewMessage:
    content = own_words(one.content) if one.role == "user" else one.content
    return NewMessage(role=one.role, content=content, name=one.name)


def replaces(ask: TruthAsk, old: Told, new: Told) -> bool:
    """Whether the story says that the newer fact gives the answer instead of the older one."""
    outdated = says(old, ask.stale) and not says(old, ask.now)
    return outdated and says(new, ask.now) and not says(new, ask.stale)


def unsure(ask: TruthAsk, old: Told, new: Told) -> bool:
    """Whether the story does not say if one outdated value replaces another, or something ended without a new value."""
    outdated = says(old, ask.stale) and not says(old, ask.now)
    return outdated and (ask.unknown or (len(ask.stale) > 1 and says(new, ask.stale)))


def says(fact: Told, words: Sequence[str]) -> bool:
    return any(word.lower() in f"{fact.content}\n{fact.source}".lower() for word in words)


def labelled(parser: SpacyParser) -> Iterator[Case]:
    """The labelled pairs that may be looked at."""
    for file in sorted(PAIRS.glob("*.jsonl")):
        if file.stem in UNSEEN:
            continue
        back = KEPT_BACK.get(file.stem, lambda _: False)
        for line, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            pair = json.loads(text)
            old, new = pair["old"], pair["new"]
            if back(line) or "constraint" in (old.get("kind"), new.get("kind")) or old["createdAt"] > new["createdAt"]:
                continue
            both = (claims(old["content"], parser), claims(new["content"], parser))
            found = tuple(alike(old["content"], both[0], new["content"], both[1]))
            if found:
                yield Case(pair["id"], found, together=False, right=pair["conflict"])


def claims(text: str, parser: SpacyParser) -> list[Claim]:
    (parsed,) = parser.parse([text])
    reader = ClaimReader()
    return [
        found.claim
        for sentence in parsed.sentences
        for found in reader.read(text, parsed.tokens, sentence.first, sentence.last, "user", "")
    ]


async def cosines(cases: Iterable[Case]) -> Mapping[tuple[str, str], float]:
    """How near the two frames of each pair are."""
    wanted = sorted({(pair.old_frame, pair.new_frame) for case in cases for pair in case.pairs})
    frames = sorted({frame for both in wanted for frame in both})
    embedder = LocalEmbedder(load_settings().cache_dir)
    vectors = dict(zip(frames, await embedder.embed(frames), strict=True))
    await embedder.close()
    return {both: sum(a * b for a, b in zip(vectors[both[0]], vectors[both[1]], strict=True)) for both in wanted}


def examples_of(cases: Iterable[Case], near: Mapping[tuple[str, str], float], worth: float) -> Iterator[Example]:
    """Where a newer fact takes the place of an older one, the nearest pair of values teaches it; else all pairs do."""
    for case in cases:
        ranked = sorted(case.pairs, key=lambda one: -near[one.old_frame, one.new_frame])
        for pair in ranked[:1] if case.right else ranked:
            told = (*pair.features, *circumstances(near[pair.old_frame, pair.new_frame], together=case.together))
            yield Example(case.of, told, "other" if case.right else "", worth)


def report(cases: Sequence[Case], near: Mapping[tuple[str, str], float], scorer: Scorer, show: float) -> None:
    scored = []
    for case in cases:
        of = [
            scorer.pick((*one.features, *circumstances(near[one.old_frame, one.new_frame], together=case.together)))[1]
            for one in case.pairs
        ]
        scored.append((max(of), case))
    every = frozenset[tuple[str, int]]().union(*(case.asks for case in cases))
    for least in (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9):
        found = [case for score, case in scored if score >= least]
        right = sum(case.right for case in found)
        asks = frozenset[tuple[str, int]]().union(*(case.asks for case in found))
        share = right / len(found) if found else 1.0
        print(f"{least:.2f}: {right} of {len(found)} right ({share:.2f}), {len(asks)} of {len(every)} questions")
    for score, case in sorted(scored, key=lambda one: -one[0]):
        if score >= show:
            print(f"{score:.2f} {case.right} {case.of} {case.words}")


if __name__ == "__main__":
    main()
