"""Labelled edits of references and outputs, right and wrong ones, with frequent and rare types."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dev.benchmarks.large_site.size import NAME

TYPES = ("R:NOUN:NUM", "M:DET", "R:VERB:SVA", "R:PREP", "U:DET", "R:SPELL", "M:PUNCT", "R:WO")
"""Types, each about half as frequent as the one before."""

EDITS = 2
"""Number of edits of each reference and of each output except the source."""


def store_edits(sentences: Sequence[int], references: Sequence[int], outputs: Any, versions: Any) -> None:
    """Store edits of sentences that have one reference each.

    Args:
        sentences: keys of the sentences.
        references: keys of their references.
        outputs: keys of their outputs, sentence by sentence.
        versions: number of each output within its sentence; 0 is the source.
    """
    from annotate.models import OutputEdit, ReferenceEdit
    from annotate.models.edits import NONE
    from dev.benchmarks.bulk_rows import store

    keys = np.repeat(np.asarray(sentences), EDITS)
    places = np.tile(np.arange(EDITS), len(sentences))
    store(
        ReferenceEdit,
        keys.size,
        sentence_id=keys.tolist(),
        reference_id=np.repeat(np.asarray(references), EDITS).tolist(),
        type=_types(keys, places),
        start=places.tolist(),
        end=(places + 1).tolist(),
        correction="right",
    )
    of_outputs = np.repeat(np.asarray(sentences), np.diff([*np.flatnonzero(versions == 0), len(versions)]))
    is_source = versions == 0
    store(
        OutputEdit,
        int(is_source.sum()),
        sentence_id=of_outputs[is_source].tolist(),
        output_id=outputs[is_source].tolist(),
        type=NONE,
        start=0,
        end=0,
        correction="",
    )
    keys, numbers = (np.repeat(each[~is_source], EDITS) for each in (of_outputs, versions))
    places = np.tile(np.arange(EDITS), int((~is_source).sum()))
    is_right = (keys + numbers + places) % 3 == 0
    store(
        OutputEdit,
        keys.size,
        sentence_id=keys.tolist(),
        output_id=np.repeat(outputs[~is_source], EDITS).tolist(),
        type=_types(keys, places),
        start=places.tolist(),
        end=(places + 1).tolist(),
        correction=np.where(is_right, "right", "wrong").tolist(),
    )


def store_labels() -> None:
    """The stored summary of the corpus's edits."""
    from annotate.models import Corpus, EditLabels, Output, Reference

    corpus = Corpus.objects.get(name=NAME)
    EditLabels.objects.create(
        corpus=corpus,
        signature="made up",
        is_whole=True,
        outputs=Output.objects.filter(sentence__corpus=corpus).count(),
        references=Reference.objects.filter(sentence__corpus=corpus).count(),
        annotators=["0"],
        types=dict.fromkeys(TYPES, 1),
    )


def _types(keys: Any, places: Any) -> list[str]:
    draws = ((keys * 7919 + places * 104729) % 65521 + 1) / 65521
    return np.asarray(TYPES)[np.minimum(-np.log2(draws), len(TYPES) - 1).astype(int)].tolist()  # type: ignore[no-any-return]
