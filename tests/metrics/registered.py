"""Inputs that meet the needs of every registered metric, made from sources and references."""

from collections.abc import Callable, Mapping, Sequence
from zlib import crc32

from rapidfuzz.distance import Levenshtein

from metrics import Annotation, EvaluationSet, GoldEdit
from metrics.english.parses import ParsedText


class VowelChecker:
    """Finds an error in each token that begins with a vowel."""

    signature = "vowels-1"

    def check(self, texts: Sequence[str]) -> list[Mapping[str, int]]:
        return [{"vowel": sum(token[0] in "aeiou" for token in text.split())} for text in texts]


TAGS = {
    "DT": "DET",
    "IN": "ADP",
    "JJ": "ADJ",
    "MD": "AUX",
    "NN": "NOUN",
    "NNS": "NOUN",
    "POS": "PART",
    "RB": "ADV",
    "TO": "PART",
    "VB": "VERB",
    "VBD": "VERB",
    "VBZ": "AUX",
    ",": "PUNCT",
}
LABELS = ("aux", "auxpass", "det", "dobj", "nsubj", "pobj", "prep", "prt", "amod", "advmod", "acomp")


class ToyParser:
    """Draws tags and labels by the words; a lemma is the beginning of its word."""

    signature = "toy-1"

    def parse(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> list[ParsedText]:
        if progress is not None:
            progress(len(texts))
        return [toy_parse(text) for text in texts]

    def parse_ahead(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> None:
        self.parse(texts, progress=progress)


def toy_parse(text: str) -> ParsedText:
    words = tuple(text.split())
    draws = [crc32(word.lower().encode("utf-8", "surrogatepass")) for word in words]
    tags = [list(TAGS)[draw % len(TAGS)] for draw in draws]
    heads = [draw % len(words) if place else place for place, draw in enumerate(draws)]
    return ParsedText(
        words,
        tuple(tags),
        tuple(TAGS[tag] for tag in tags),
        tuple(word.lower()[:3] for word in words),
        tuple(LABELS[draw % len(LABELS)] for draw in draws),
        # Heads only lie before their words, so that they form a tree.
        tuple(min(head, max(0, place - 1)) for place, head in enumerate(heads)),
    )


def edits_between(source: str, reference: str) -> tuple[GoldEdit, ...]:
    """The edits of a shortest alignment of tokens."""
    tokens, words = source.split(), reference.split()
    return tuple(
        GoldEdit(code.src_start, code.src_end, (" ".join(words[code.dest_start : code.dest_end]),))
        for code in Levenshtein.opcodes(tokens, words)
        if code.tag != "equal"
    )


def complete(sources: Sequence[str], references: Sequence[Sequence[str]]) -> EvaluationSet:
    """References, gold edits by reference, a checker and a parser."""
    return EvaluationSet(
        sources=tuple(sources),
        references=tuple(tuple(texts) for texts in references),
        annotations=tuple(
            tuple(Annotation(str(number), edits_between(source, text)) for number, text in enumerate(texts))
            for source, texts in zip(sources, references, strict=True)
        ),
        checker=VowelChecker(),
        parser=ToyParser(),
    )
