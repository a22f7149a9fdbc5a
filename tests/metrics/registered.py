"""Inputs that meet the needs of every registered metric, made from sources and references."""

from collections.abc import Mapping, Sequence

from rapidfuzz.distance import Levenshtein

from metrics import Annotation, EvaluationSet, GoldEdit


class VowelChecker:
    """Finds an error in each token that begins with a vowel."""

    signature = "vowels-1"

    def check(self, texts: Sequence[str]) -> list[Mapping[str, int]]:
        return [{"vowel": sum(token[0] in "aeiou" for token in text.split())} for text in texts]


def edits_between(source: str, reference: str) -> tuple[GoldEdit, ...]:
    """The edits of a shortest alignment of tokens."""
    tokens, words = source.split(), reference.split()
    return tuple(
        GoldEdit(code.src_start, code.src_end, (" ".join(words[code.dest_start : code.dest_end]),))
        for code in Levenshtein.opcodes(tokens, words)
        if code.tag != "equal"
    )


def complete(sources: Sequence[str], references: Sequence[Sequence[str]]) -> EvaluationSet:
    """References, gold edits by reference, and a checker."""
    return EvaluationSet(
        sources=tuple(sources),
        references=tuple(tuple(texts) for texts in references),
        annotations=tuple(
            tuple(Annotation(str(number), edits_between(source, text)) for number, text in enumerate(texts))
            for source, texts in zip(sources, references, strict=True)
        ),
        checker=VowelChecker(),
    )
