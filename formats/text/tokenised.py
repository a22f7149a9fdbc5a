"""Whether texts are tokenised: punctuation stands between blanks, or words of unspaced scripts do."""

import re
from collections.abc import Iterable

from formats.text.natural import UNSPACED_SCRIPTS

CLEAR = 0.9
"""Share of the texts that tell, from which they all count as written in one way."""

_ALONE = re.compile(r"(?<!\S)[.,;:?!،؛؟।](?!\S)")
_ATTACHED = re.compile(r"[^\s.,;:?!،؛؟।][,;:?!،؛؟।](?=\s|\Z)|[^\s.,;:?!،؛؟।]\.\Z")
_UNSPACED_WORDS = re.compile(f"[{UNSPACED_SCRIPTS}]\\s+[{UNSPACED_SCRIPTS}]")
_UNSPACED_TEXT = re.compile(f"[{UNSPACED_SCRIPTS}]{{2}}")


def are_tokenised(texts: Iterable[str]) -> bool | None:
    """Whether the texts, sentences of a corpus, are tokenised; None where they do not tell it clearly.

    A text tells it that has punctuation or words of a script without blanks between words.
    """
    tokenised = running = 0
    for text in texts:
        if _ALONE.search(text) or _UNSPACED_WORDS.search(text):
            tokenised += 1
        elif _ATTACHED.search(text) or _UNSPACED_TEXT.search(text):
            running += 1
    telling = tokenised + running
    if not telling or max(tokenised, running) / telling < CLEAR:
        return None
    return tokenised > running
