"""Medicines that somebody takes or must not take: they end as international names of substances do."""

import re

from graphmem.model.knowledge import EntityType
from graphmem.rules.reading.naming import Mention

_MEDICINE = re.compile(
    r"(?i)(?<![\w-])(?:[a-z]{2,12}(?:cillin|april|[io]pril|olol|statin|profen|mycin|micin|oxacin|conazole|prazole|sartan|"
    r"formin|triptan|dipine|zepam|zolam|oxetine|traline|pramine|tidine|caine|parin|gliptin|gliflozin|cetamol|semide|"
    r"thiazide|lukast|buterol|meterol|sone|solone|thyroxine|tyline|apine|idone|fenac|oxicam|ciclovir|xaban|tadine|tirizine|"
    r"zumab|ximab|limumab|tinib)|insulin|aspirin|warfarin|morphine|codeine|lithium|penicillin|acetaminophen)(?![\w-])"
)
_NONE = re.compile(r"(?i)april|cocaine|reason|person|season|sone|\w*(?:ason|erson)e?")


def medicines(text: str, start: int, end: int) -> list[Mention]:
    """The medicines named in [start, end).

    >>> [one.name for one in medicines("I take ramipril and ibuprofen in April.", 0, 39)]
    ['ramipril', 'ibuprofen']
    """
    return [
        Mention(match.start(), match.end(), match[0].lower(), EntityType.CONCEPT, "name")
        for match in _MEDICINE.finditer(text, start, end)
        if not _NONE.fullmatch(match[0])
    ]
