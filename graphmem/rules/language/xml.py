"""Text for XML, which has no place for most control characters."""

import regex

_NOT_IN_XML = regex.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: str) -> str:
    r"""A text with what XML 1.0 cannot hold, escaped or not, written as in JSON.

    >>> print(xml_text("a\x01b < c"))
    a\u0001b < c
    """
    return _NOT_IN_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
