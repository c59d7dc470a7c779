"""What hermes-lcm moved out of its messages: found by its placeholder, and restored from its folder."""

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MISSING = "payloads that were not put back; the message has their placeholder"
_PLACEHOLDER = re.compile(
    r"\[(?:Externalized (?:LCM ingest payload|tool output|payload)|GC'd externalized tool output): "
    r"[^\]\n]{0,2000}?\bref=([^;\]\s]{1,300})\]"
)


@dataclass
class Payloads:
    """The folder of payload files, if it was given, and how many were put back."""

    folder: Path | None = None
    put_back: int = 0
    missing: Counter[str] = field(default_factory=Counter)

    def filled(self, value: Any) -> Any:
        """The value with its payloads restored, where they are available: texts, and texts in lists and objects."""
        if isinstance(value, dict):
            return {key: self.filled(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.filled(inner) for inner in value]
        if not isinstance(value, str) or "ref=" not in value:
            return value
        quoted = _is_json(value)
        return _PLACEHOLDER.sub(lambda found: self._text(found, quoted=quoted), value)

    def _text(self, found: re.Match[str], *, quoted: bool) -> str:
        content = self._content(found[1])
        if content is None:
            self.missing[MISSING] += 1
            return found[0]
        self.put_back += 1
        return json.dumps(content, ensure_ascii=False)[1:-1] if quoted else content

    def _content(self, name: str) -> str | None:
        """The text of a payload file, None for a missing or altered one. A name that leads outside the folder is not
        followed: the author of the database could read other files of this machine."""
        if self.folder is None or name in (".", "..") or re.search(r"[/\\\0]", name):
            return None
        file = self.folder / name
        try:
            if file.is_symlink() or not file.is_file():
                return None
            stored = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        content = stored.get("content") if isinstance(stored, dict) else None
        if not isinstance(content, str) or stored.get("content_chars", len(content)) != len(content):
            return None
        return content


def _is_json(text: str) -> bool:
    """Whether a text is a JSON object or list, so that what is inserted into its strings has to be escaped."""
    if not text.lstrip().startswith(("{", "[{", '["', "[[")):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
