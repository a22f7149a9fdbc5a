"""Joins English tokens into running text, which grammar checkers expect."""

OPENING = frozenset("([{$£€")
CLOSING = frozenset([*",.;:!?)]}%…", "...", "?!", "!!", "!?"])
BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
CLITICS = frozenset(["n't", "'s", "'m", "'re", "'ve", "'ll", "'d"])
QUOTES = {"``": '"', "''": '"', '"': '"', "'": "'", "`": "'", "“": "“", "”": "”", "‘": "‘", "’": "’"}
ALWAYS_OPENING = frozenset(["``", "`", "“", "‘"])
ALWAYS_CLOSING = frozenset(["''", "”", "’"])


def detokenise(text: str) -> str:
    """Join tokens separated by blanks: `` I do n't ( know ) , '' he said . gives "I don't (know)," he said.

    Punctuation and clitics join the word before them, opening brackets and currency signs the one after.
    Straight quotes open and close alternately; an apostrophe after a word in s closes. The Penn Treebank's
    escapes for brackets and quotes are resolved. Everything else, such as dashes between blanks, stays.
    """
    pieces: list[str] = []
    quotes = _Quotes()
    joins_next = True
    for token in text.split():
        shown = BRACKETS.get(token, QUOTES.get(token, token))
        before = pieces[-1] if pieces else ""
        opens = token in QUOTES and quotes.opens(token, before)
        closes = token in QUOTES and not opens
        quotes.read(token)
        if not (joins_next or closes or _joins_word_before(shown)):
            pieces.append(" ")
        pieces.append(shown)
        joins_next = opens or shown in OPENING
    return "".join(pieces)


class _Quotes:
    """The open quotes."""

    def __init__(self) -> None:
        self._open: set[str] = set()

    def opens(self, token: str, word_before: str) -> bool:
        """Whether a quote opens; updates the open quotes."""
        mark = QUOTES[token]
        if token in ALWAYS_OPENING or token in ALWAYS_CLOSING:
            opening = token in ALWAYS_OPENING
        else:
            possessive = mark == "'" and word_before.lower().endswith("s")
            opening = mark not in self._open and not possessive
        (self._open.add if opening else self._open.discard)(mark)
        return opening

    def read(self, word: str) -> None:
        """Update for quotes that are part of a word, which tokenisers such as NLTK do not split off."""
        if len(word) > 1 and not _joins_word_before(word):
            if word[0] in "\"'":
                self._open.add(word[0])
            if word[-1] in "\"'":
                self._open.discard(word[-1])


def _joins_word_before(token: str) -> bool:
    return token in CLOSING or token.lower().replace("’", "'") in CLITICS
