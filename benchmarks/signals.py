"""What each feature of recall's ranking is worth on LoCoMo and in long talk, away from a service.

Every message of a conversation is a candidate, with its vector by our embedder; a service compares the best by words
and by vectors, with their neighbours. Links to entities and feedback, which need a graph, take no part.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import beam, locomo
from benchmarks.asking import COUNTED, RANKED, TOKENS, Asked, Found
from benchmarks.conversations import Conversation, Question, exchanges
from benchmarks.recall_tables import filled_table, score, within, words_in
from benchmarks.service import table
from graphmem.adapters.embedding import LocalEmbedder
from graphmem.rules.recall import candidates, questions
from graphmem.rules.recall.candidates import READ_CHARS
from graphmem.rules.recall.filling import ENOUGH, GATHERED, fill
from graphmem.rules.recall.passages import shown
from graphmem.rules.recall.ranking import FEATURES, Floats, Passage, Ranked, features_of, rank
from graphmem.services.recall.recall import question_vector
from graphmem.settings import load_settings


@dataclass(frozen=True)
class Compared:
    """A question with everything it is compared with: the passages in the order of the conversation's turns, and a row
    of features for each."""

    conversation: Conversation
    question: Question
    asked: questions.Asked
    passages: Sequence[Passage]
    features: Floats
    shown: dict[int, str] = field(default_factory=dict)
    """What hits have shown so far, by the place of the turn."""

    def answer(self, weights: Mapping[str, float]) -> Asked:
        """What would be answered with other weights."""
        ranked = rank(self.asked, self.passages, RANKED, weights, self.features)
        turns = self.conversation.turns
        found = tuple(
            Found((turns[int(one.id)].key,), len(self.text_of(one).split()), one.score, one.why) for one in ranked
        )
        return Asked(self.question, found[:COUNTED], 0.0, found)

    def filled(self, budgets: Sequence[int] = TOKENS) -> Asked:
        """What would fill each budget of tokens."""
        gathers = self.asked.gathers
        ranked = rank(self.asked, self.passages, candidates.in_budget(gathers=gathers), features=self.features)
        texts = [self.text_of(one) for one in ranked]
        scores = [one.score for one in ranked]
        filled: dict[int, tuple[Found, ...]] = {}
        for tokens in budgets:
            kept, _ = fill(texts, scores, tokens, least=GATHERED if gathers else ENOUGH)
            keys = {place: (self.conversation.turns[int(ranked[place].id)].key,) for place in kept}
            filled[tokens] = tuple(Found(keys[place], len(text.split())) for place, text in kept.items())
        return Asked(self.question, (), 0.0, filled=filled)

    def text_of(self, ranked: Ranked) -> str:
        """What a hit shows."""
        place = int(ranked.id)
        if place not in self.shown:
            text = self.conversation.turns[place].text
            start, end = shown(text, self.question.text)
            self.shown[place] = text[start:end]
        return self.shown[place]


async def compare(conversations: Iterable[Conversation], embedder: LocalEmbedder) -> list[Compared]:
    """Every question that can be scored."""
    await embedder.load()
    now = datetime.now(UTC)
    compared = []
    for conversation in conversations:
        turns = conversation.turns
        vectors = np.array(await embedder.embed([turn.text for turn in turns]))
        ordinals = [place for session in conversation.sessions for place in range(len(session.turns))]
        for question in conversation.asked:
            nearness = vectors @ np.array(await question_vector(embedder, question.text))
            passages = [
                Passage(
                    id=f"{place:06}",  # ordered as they were said, as the ids of a service are
                    text=turn.text[:READ_CHARS],
                    nearness=float(nearness[place]),
                    session_id=turn.key.session_id,
                    ordinal=ordinals[place],
                    speaker=turn.name,
                    at=turn.created_at,
                    chars=len(turn.text),
                )
                for place, turn in enumerate(turns)
            ]
            asked = questions.read_question(question.text, now)
            compared.append(Compared(conversation, question, asked, passages, features_of(asked, passages)))
    return compared


def read_and_compare(
    talk: Path | None, folder: Path | None, numbers: range = beam.TUNED_ON
) -> dict[str, list[Compared]]:
    """The questions of both benchmarks that weights may be tuned on, by the names of the benchmarks; those of LoCoMo
    that have an answer."""
    read: dict[str, list[Conversation]] = {}
    if talk:
        raw = json.loads(talk.read_text(encoding="utf-8"))
        read["LoCoMo"] = [item for item in map(locomo.read_conversation, raw) if item.id in locomo.TUNED_ON]
    if folder:
        tuned = [number for number in numbers if number in beam.TUNED_ON]
        read["BEAM"] = [beam.read_conversation(folder, number) for number in tuned]
    embedder = LocalEmbedder(load_settings().cache_dir)
    compared = {name: asyncio.run(compare(items, embedder)) for name, items in read.items()}
    if "LoCoMo" in compared:
        compared["LoCoMo"] = [one for one in compared["LoCoMo"] if one.question.kind in locomo.HEADLINE]
    return compared


def ablation(benchmarks: Mapping[str, Sequence[Compared]]) -> str:
    """All features, and each left out, on each benchmark."""
    rows = []
    for name, weights in {"all": {}, **{f"without {name}": {name: 0.0} for name in FEATURES}}.items():
        cells = [name]
        for compared in benchmarks.values():
            asked = [one.answer(weights) for one in compared]
            scores = score(asked)
            cells += [f"{value:.3f}" for value in (scores.recall[10], scores.mrr, within(asked, 1500))]
            cells.append(f"{words_in(asked, 10):.0f}")
        rows.append(cells)
    header = [f"{name}: {what}" for name in benchmarks for what in ("R@10", "MRR", "in 1,500 words", "words in 10")]
    return table(["feature", *header], rows)


def dumped(benchmark: str, compared: Iterable[Compared]) -> Iterator[dict[str, Any]]:
    """A line for each question: its candidates with their features, lengths, roles and ids, and which are evidence. It
    holds no words of the data."""
    for one in compared:
        first_of = exchanges([one.conversation])
        scores = {ranked.id: ranked for ranked in rank(one.asked, one.passages, features=one.features)}
        yield {
            "benchmark": benchmark,
            "conversation": one.conversation.id,
            "question": one.question.number,
            "kind": one.question.kind,
            "answerable": one.question.answerable,
            "gathers": one.asked.gathers,
            "features": list(FEATURES),
            "candidates": [
                {
                    "session": turn.key.session_id,
                    "message": turn.key.message_id,
                    "exchange": first_of[turn.key].message_id,
                    "ordinal": passage.ordinal,
                    "role": turn.role,
                    "words": len(turn.text.split()),
                    "chars": len(turn.text),
                    "nearness": round(passage.nearness or 0.0, 5),
                    "score": round(scores[passage.id].score, 5),
                    "evidence": turn.key in one.question.gold,
                    "values": [round(value, 5) for value in values],
                }
                for turn, passage, values in zip(
                    one.conversation.turns, one.passages, one.features.tolist(), strict=True
                )
            ],
        }


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.signals", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--locomo", type=Path, metavar="FILE", help="a JSON file in the LoCoMo format")
    parser.add_argument("--beam", type=Path, metavar="FOLDER", help="a copy of BEAM's repository")
    parser.add_argument(
        "--conversations",
        type=beam.numbers,
        metavar="N[-M]",
        default=beam.TUNED_ON,
        help="of BEAM; those that are only reported cannot be chosen",
    )
    parser.add_argument("--dump", type=Path, metavar="FILE", help="a JSON line for each question, with its candidates")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    arguments = _arguments(argv)
    compared = read_and_compare(arguments.locomo, arguments.beam, arguments.conversations)
    if arguments.dump:
        with arguments.dump.open("w", encoding="utf-8") as lines:
            for name, items in compared.items():
                lines.writelines(json.dumps(line) + "\n" for line in dumped(name, items))
    filled = (filled_table([one.filled() for one in items], f"{name}, budget") for name, items in compared.items())
    print(ablation(compared), *filled, sep="\n\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
