"""References that mix the corrections of several annotators (Felice and Briscoe 2015, section 3.2)."""

from collections.abc import Sequence
from itertools import groupby, product
from math import prod

from metrics.base.evaluation_sets import Annotation

Span = tuple[int, int, str]
"""Start, end and correction."""

Alternative = frozenset[Span]


class TooManyReferencesError(ValueError):
    """Raised if there are more combinations of corrections than allowed."""


def mixed_references(source: Sequence[str], annotations: Sequence[Annotation], most: int) -> list[list[str]]:
    """All corrected sentences that use one annotator's corrections in each cluster of overlapping edits.

    Clusters follow the tool that was released with the paper. If an annotator is present but changes nothing
    in a cluster, leaving it unchanged is an alternative. Only the first correction of an edit is used.

    Args:
        source: tokens.
        annotations: annotations of the sentence.
        most: maximum number of combinations.

    Raises:
        TooManyReferencesError: there are more.
    """
    clusters = [_alternatives(cluster, len(annotations)) for cluster in _clusters(annotations)]
    number = prod(len(alternatives) for alternatives in clusters)
    if number > most:
        raise TooManyReferencesError(f"{number:,} mixed references, at most {most:,} are allowed")
    texts = {}
    for choice in product(*clusters):
        edits = [edit for alternative in choice for edit in alternative]
        if len({edit[:2] for edit in edits}) == len(edits):
            corrected = _corrected(source, edits)
            texts[tuple(corrected)] = corrected
    return list(texts.values()) or [list(source)]


def number_of_mixed_references(annotations: Sequence[Annotation]) -> int:
    """How many combinations of corrections there are, of which some give the same sentence."""
    return prod(len(_alternatives(cluster, len(annotations))) for cluster in _clusters(annotations))


def _clusters(annotations: Sequence[Annotation]) -> list[list[tuple[str, Span]]]:
    """Clusters of overlapping edits by annotator, sorted by the first (longest) edit of each cluster."""
    edits = [
        (annotation.annotator, (edit.start, edit.end, edit.corrections[0]))
        for annotation in annotations
        for edit in annotation.edits
    ]
    clusters: list[list[tuple[str, Span]]] = []
    for named in sorted(edits, key=lambda each: each[1][0] - each[1][1]):
        home = next((c for c in clusters if any(_overlap(named[1], other) for _, other in c)), None)
        if home is None:
            clusters.append([named])
        else:
            home.append(named)
    return sorted(clusters, key=lambda cluster: cluster[0][1][:2])


def _overlap(first: Span, second: Span) -> bool:
    """Whether two edits share a token, have the same position, or one inserts inside the other."""
    if first[:2] == second[:2]:
        return True
    if first[0] == first[1]:
        return second[0] < first[0] < second[1]
    if second[0] == second[1]:
        return first[0] < second[0] < first[1]
    return second[0] < first[1] <= second[1] or second[0] <= first[0] < second[1]


def _alternatives(cluster: Sequence[tuple[str, Span]], annotators: int) -> list[Alternative]:
    """One distinct alternative for each annotator of a cluster, and an empty one for other annotators."""
    by_annotator = [
        _joined([edit for _, edit in group])
        for _, group in groupby(sorted(cluster, key=lambda each: each[0]), key=lambda each: each[0])
    ]
    alternatives = [Alternative()] if len(by_annotator) < annotators else []
    return [*dict.fromkeys(alternatives + by_annotator)]


def _joined(edits: Sequence[Span]) -> Alternative:
    """Merge several corrections of one span into one, in the order of the file."""
    corrections: dict[tuple[int, int], list[str]] = {}
    for start, end, correction in edits:
        corrections.setdefault((start, end), []).append(correction)
    return Alternative((start, end, " ".join(texts)) for (start, end), texts in corrections.items())


def _corrected(source: Sequence[str], edits: Sequence[Span]) -> list[str]:
    """The tokens after applying all edits, last to first; an edit that would leave no token is skipped."""
    tokens = list(source)
    for start, end, correction in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        corrected = [*tokens[:start], *correction.split(), *tokens[end:]]
        tokens = corrected or tokens
    return tokens
