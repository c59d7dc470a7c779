"""Content that is too big or binary for a message: moved out, with a placeholder that says how to restore it.

- A data URI in base64 leaves the bytes it encodes, under their media type.
- Base64 beside its media type, as parts of a content carry it, likewise.
- A long run of base64 leaves its characters.
- A whole text longer than the operator's threshold leaves its characters.

Restored, the text is identical, to the character: bytes are decoded from base64 only where encoding them gives the same
characters, else the characters themselves are moved.
"""

import base64
import binascii
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphmem.rules.language.keys import canonical_json
from graphmem.rules.privacy.redaction import PatternName, redact_text

MIN_DATA_URI_CHARS = 256
"""Shortest base64 of a data URI that is moved. *Source*: hermes-lcm, payload guard, also for runs of base64."""
MIN_RUN_CHARS = 4096
MIN_TEXT_CHARS = 1000
"""No text that is hardly longer than a placeholder is moved, at any threshold."""
MIN_DISTINCT = 8

PLACEHOLDER = re.compile(r"\[payload (?P<sha256>[0-9a-f]{64}), (?P<bytes>\d+) bytes, (?P<form>[^\[\]\n]{1,200})\]")
_DATA_URI = re.compile(
    r"(?P<head>data:(?P<media>[\w.+-]{1,64}\\?/[\w.+-]{1,64})?(?:;[\w.+-]{1,32}=[\w.+%-]{1,64}){0,4};base64),"
    rf"(?P<data>(?:[A-Za-z0-9+/_-]|\\/){{{MIN_DATA_URI_CHARS},}}+={{0,2}})",
    re.ASCII,  # a media type is used in a header
)
_RUN = re.compile(rf"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{{{MIN_RUN_CHARS},}}+={{0,2}}")
_WRAPPED = re.compile(
    r"(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{40,256}+(?:\r?\n|\\r\\n|\\n)){15,}+[A-Za-z0-9+/]{0,256}+={0,2}"
)
_HEX = re.compile(r"[0-9a-fA-F]+")
_BREAKS = re.compile(r"\r?\n|\\r\\n|\\n")
_MEDIA_TYPE = re.compile(r"[\w.+-]{1,64}/[\w.+-]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Payload:
    """What was moved out. `text` is its searchable text, else empty."""

    sha256: str
    data: bytes
    media_type: str
    text: str = ""


@dataclass(slots=True)
class Outgoing:
    """Collects what is moved out of one message. `redact` is applied to texts that were hidden in base64."""

    threshold_chars: int = 0
    redact: Sequence[PatternName] = ()
    payloads: list[Payload] = field(default_factory=list)
    redactions: int = 0

    def text(self, text: str) -> str:
        """A whole text: without its binary parts or, where that is still too long, moved as a whole."""
        before, redactions = len(self.payloads), self.redactions
        clean = self.inline(text)
        long = self.threshold_chars and len(clean) > max(self.threshold_chars, MIN_TEXT_CHARS)
        if not long or self.redactions > redactions:  # the whole would contain what base64 hid
            return clean
        del self.payloads[before:]  # one step restores all of it
        return self._put(text.encode(), "text/plain", "text", clean)

    def inline(self, text: str) -> str:
        """The text without data URIs and runs of base64; the text around them stays."""
        if len(text) < MIN_DATA_URI_CHARS:
            return text
        if "base64," in text:
            text = _DATA_URI.sub(self._data_uri, text)
        if len(text) < MIN_RUN_CHARS:
            return text
        return _WRAPPED.sub(self._run, _RUN.sub(self._run, text))

    def value(self, value: Any, texts: Callable[[str], str] | None = None) -> Any:
        """A JSON value without them, at any depth, names included. `texts` is the function for strings."""
        change = texts or self.inline
        if isinstance(value, str):
            return change(value)
        if isinstance(value, list | tuple):
            return [self.value(item, texts) for item in value]
        if isinstance(value, Mapping):
            media = next((m for key in ("media_type", "mediaType", "mimeType") if _is_media(m := value.get(key))), None)
            return {
                self.inline(key): self._media(item, media)
                if key == "data" and media and isinstance(item, str)
                else self.value(item, texts)
                for key, item in value.items()
            }
        return value

    def _data_uri(self, match: re.Match[str]) -> str:
        data = _decoded(match["data"])
        media = (match["media"] or "text/plain").replace("\\", "")
        if data is None:
            return self._put(match[0].encode(), "text/plain", "text")
        return self._bytes(data, media, match["head"])

    def _media(self, encoded: str, media_type: str) -> str:
        data = _decoded(encoded) if len(encoded) >= MIN_DATA_URI_CHARS else None
        return self.inline(encoded) if data is None else self._bytes(data, media_type, "base64")

    def _run(self, match: re.Match[str]) -> str:
        run = _BREAKS.sub("", match[0])
        digests = _HEX.fullmatch(run) and "\n" in match[0]
        if len(run) < MIN_RUN_CHARS or len(run.rstrip("=")) % 4 == 1 or len(set(run)) < MIN_DISTINCT or digests:
            return match[0]
        return self._put(match[0].encode(), "text/plain", "text")

    def _bytes(self, data: bytes, media_type: str, form: str) -> str:
        """Decoded base64: a secret that it hid would be in the clear now."""
        if self.redact:
            try:
                clean, found = redact_text(data.decode(), self.redact)
            except UnicodeDecodeError:
                found = []
            if found:
                self.redactions += len(found)
                data = clean.encode()
        return self._put(data, media_type, form)

    def _put(self, data: bytes, media_type: str, form: str, text: str = "") -> str:
        sha256 = hashlib.sha256(data).hexdigest()
        self.payloads.append(Payload(sha256, data, media_type, text))
        return f"[payload {sha256}, {len(data)} bytes, {form}]"


def whole(text: str, media_type: str) -> tuple[Payload, str]:
    """A text as a separate payload, and its placeholder.

    >>> payload, placeholder = whole("said", "text/plain")
    >>> put_back(placeholder, {payload.sha256: payload.data})
    'said'
    """
    out = Outgoing()
    placeholder = out._put(text.encode(), media_type, "text")
    return out.payloads[0], placeholder


def put_back(text: str, payloads: Mapping[str, bytes]) -> str:
    """The text as it was before its payloads (by SHA-256) were moved out.

    >>> out = Outgoing()
    >>> sent = "see data:text/plain;base64," + "QUJD" * 64
    >>> kept = out.inline(sent)
    >>> kept.startswith("see [payload "), put_back(kept, {one.sha256: one.data for one in out.payloads}) == sent
    (True, True)
    """

    def original(match: re.Match[str]) -> str:
        data = payloads.get(match["sha256"])
        if data is None:
            return match[0]
        if match["form"] == "text":
            return data.decode()
        encoded = base64.b64encode(data).decode()
        return encoded if match["form"] == "base64" else f"{match['form']},{encoded}"

    return PLACEHOLDER.sub(original, text)


def as_it_came(content: str, content_kind: str, payloads: Mapping[str, bytes], sha256: str) -> bool:
    """Whether a stored content is what had this hash, but for what was moved out since: step by step, some of its
    payloads (by SHA-256) are put back. Placeholders may be of the original themselves.

    >>> payload, placeholder = whole("said", "text/plain")
    >>> as_it_came(placeholder, "text", {payload.sha256: payload.data}, payload.sha256)
    True
    """
    tried = {content}
    reached = [content]
    for _ in range(_MOVES + 1):
        if any(hashlib.sha256(one.encode()).hexdigest() == sha256 for one in reached):
            return True
        reached = [one for text in reached for one in _fuller(text, content_kind, payloads) if one not in tried]
        reached = list(dict.fromkeys(reached))[:_MOST_TRIED]
        tried |= {*reached}
    return False


_MOVES = 3
"""How often something may have left a message: each makes it lighter at once."""
_MOST_TRIED = 64


def _fuller(text: str, content_kind: str, payloads: Mapping[str, bytes]) -> Iterator[str]:
    """The content with all of its payloads put back, and with one of them."""
    held = [sha256 for sha256 in dict.fromkeys(PLACEHOLDER.findall(text)) if sha256[0] in payloads]
    names = [sha256 for sha256, *_ in held]
    for part in dict.fromkeys([tuple(names), *((one,) for one in names)]):
        given = {sha256: payloads[sha256] for sha256 in part}
        if content_kind != "parts":
            yield put_back(text, given)
            continue
        parts = json.loads(text)
        yield canonical_json(_put_back_value(parts, given))
        if len(parts) == 1 and PLACEHOLDER.fullmatch(str(parts[0].get("text"))):  # it was moved as a whole
            yield put_back(parts[0]["text"], given)


def _put_back_value(value: Any, payloads: Mapping[str, bytes]) -> Any:
    if isinstance(value, str):
        return put_back(value, payloads)
    if isinstance(value, list):
        return [_put_back_value(item, payloads) for item in value]
    if isinstance(value, dict):
        return {put_back(key, payloads): _put_back_value(item, payloads) for key, item in value.items()}
    return value


def _decoded(encoded: str) -> bytes | None:
    """The bytes, where encoding them gives the same characters."""
    try:
        data = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if base64.b64encode(data).decode() == encoded else None


def _is_media(value: object) -> bool:
    return isinstance(value, str) and _MEDIA_TYPE.fullmatch(value) is not None
