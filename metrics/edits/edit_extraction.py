"""Extracts the edits between two texts, once for all edit-based metrics."""

from functools import lru_cache
from weakref import WeakKeyDictionary

from metrics.base.evaluation_sets import Annotation, EvaluationSet, GoldEdit, Parser
from metrics.base.metric import NotScored
from metrics.edits.errant_edits import ErrantEdits, PreparedText

SOURCES_KEPT = 5_000
MOST_KEPT = 100_000
"""Pairs of texts whose edits are cached for each parser, about 500 bytes each."""

Extracted = tuple[GoldEdit, ...] | NotScored

_kept: WeakKeyDictionary[Parser, dict[tuple[str, str], Extracted]] = WeakKeyDictionary()
"""Edits by source and text, cached as long as the parser exists."""


class Extraction:
    """ERRANT's edits between texts; all extractions with one parser share a cache."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._found = _kept.setdefault(parser, {})
        self._extractor: ErrantEdits | None = None
        self._prepared_source = lru_cache(SOURCES_KEPT)(self._prepared)

    def edits(self, source: str, text: str) -> Extracted:
        """The edits from the source to the text, in the order of the source.

        For texts that are too long for ERRANT, the reason instead.
        """
        if text.split() == source.split():
            return ()
        if (source, text) not in self._found:
            if len(self._found) >= MOST_KEPT:
                del self._found[next(iter(self._found))]
            before, after = self._prepared_source(source), self._prepared(text)
            self._found[source, text] = self._loaded().edits(before, after)
        return self._found[source, text]

    def _prepared(self, text: str) -> PreparedText:
        [parsed] = self._parser.parse([text])
        return self._loaded().prepare(parsed)

    def _loaded(self) -> ErrantEdits:
        if self._extractor is None:
            self._extractor = ErrantEdits()
        return self._extractor


def extracted_annotations(data: EvaluationSet, parser: Parser) -> tuple[tuple[Annotation, ...], ...]:
    """The edits of the references of each sentence, one annotator for each, as ERRANT extracts them.

    References that are too long for ERRANT are left out.
    """
    references = data.references or ()
    parser.parse_ahead(
        list(dict.fromkeys([*data.sources, *(text for texts in references for text in texts)]))
    )
    extraction = Extraction(parser)
    annotations = []
    for source, texts in zip(data.sources, references, strict=True):
        edits = [extraction.edits(source, text) for text in texts]
        annotations.append(
            tuple(
                Annotation(str(number), each)
                for number, each in enumerate(edits)
                if not isinstance(each, NotScored)
            )
        )
    return tuple(annotations)
