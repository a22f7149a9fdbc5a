"""References of the I-measure tool's XML, as its option -nomix makes them."""

from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

from metrics import EvaluationSet


@cache
def ieval_references(path: Path) -> EvaluationSet:
    """The sources with one reference for each annotator who corrects something.

    Where fewer annotators correct than are present, or none is, the source is a reference too.
    """
    sources, references = [], []
    for sentence in ET.parse(path).getroot().iter("sentence"):  # noqa: S314 a published file
        source = (sentence.findtext("text") or "").split()
        edits: dict[str, dict[tuple[int, int], list[str]]] = {}
        for alternative in sentence.iter("alt"):
            spans = edits.setdefault(alternative.get("ann", ""), {})
            for correction in alternative.iter("c"):
                span = int(correction.get("start", "")), int(correction.get("end", ""))
                spans.setdefault(span, []).append(correction.text or "")
        texts = [" ".join(corrected(source, spans)) for spans in edits.values()]
        if len(texts) < int(sentence.get("numann", "")) or not texts:
            texts.append(" ".join(source))
        sources.append(" ".join(source))
        references.append(tuple(dict.fromkeys(texts)))
    return EvaluationSet(tuple(sources), tuple(references))


def corrected(source: list[str], spans: dict[tuple[int, int], list[str]]) -> list[str]:
    """The tokens after all corrections, from the last to the first; one that leaves nothing is left out."""
    tokens = source
    for (start, end), corrections in sorted(spans.items(), reverse=True):
        tokens = [*tokens[:start], *" ".join(corrections).split(), *tokens[end:]] or tokens
    return tokens
