"""Types of the edits of lattices, by ERRANT or as annotated."""

from collections.abc import Callable

from metrics.base.evaluation_sets import GoldEdit, InputError, Parser
from metrics.base.metric import NotScored
from metrics.edits.errant_edits import ErrantEdits
from metrics.edits.errant_types import TYPES, category
from metrics.edits.retyping import retyped
from metrics.meta_evaluation.maege.lattices import Lattice, LatticeCorpus
from metrics.meta_evaluation.maege.options import Types

NO_PARSER = "types of ERRANT need an English pipeline, and the texts are not English"
UNTYPED = "untyped"
"""Type of edits for which the file states none."""


def edit_types(
    corpus: LatticeCorpus, types: Types, parser: Parser | None, progress: Callable[[int], None]
) -> tuple[str, ...]:
    """The type of each of the E edits. Spans stay as annotated.

    Args:
        corpus: the lattices.
        types: the inventory of types.
        parser: an English pipeline; None where the texts are not English.
        progress: called with the number of lattices just done, of `len(corpus.lattices)`.

    Raises:
        InputError: ERRANT's types are asked for, the annotated ones are others, and there is no parser.
    """
    if types is Types.GIVEN or set(corpus.kinds) <= set(TYPES):
        progress(len(corpus.lattices))
        return tuple(_named(kind, types) for kind in corpus.kinds)
    if parser is None:
        raise InputError(NO_PARSER)
    extractor = ErrantEdits()
    kinds: list[str] = []
    for lattice in corpus.lattices:
        kinds += [_named(kind, types) for kind in _typed(lattice, extractor, parser)]
        progress(1)
    return tuple(kinds)


def _typed(lattice: Lattice, extractor: ErrantEdits, parser: Parser) -> list[str]:
    edits = [GoldEdit(edit.start, edit.end, edit.corrections[:1], edit.kind) for edit in lattice.edits]
    typed = retyped(lattice.words, edits, extractor, parser, extract=False)
    return [UNTYPED] * len(edits) if isinstance(typed, NotScored) else [edit.kind for edit in typed]


def _named(kind: str, types: Types) -> str:
    if not kind:
        return UNTYPED
    return category(kind) if types is Types.CATEGORY and kind in TYPES else kind
