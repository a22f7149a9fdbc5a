"""Snapshots of scalar judgments for the tests: written by hand, or drawn with a known reliability."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

Scoring = tuple[str, int, Mapping[str, float | None]]


def scored(*judgments: Scoring) -> pd.DataFrame:
    """A snapshot of judgments (annotator, sentence, scores); "A B" is the common output of A and B."""
    rows = [
        {
            "judgment": f"judgment {number}",
            "annotator": annotator,
            "sentence": sentence,
            "output": systems.replace(" ", "+"),
            "systems": tuple(systems.split()),
            "score": score,
        }
        for number, (annotator, sentence, scores) in enumerate(judgments)
        for systems, score in scores.items()
    ]
    columns = ["judgment", "annotator", "sentence", "output", "systems", "score"]
    return pd.DataFrame(rows, columns=columns).astype({"score": "Float64"})


def simulated(
    *, sentences: int, systems: int, annotators: int, noise: float, seed: int, apart: float = 0.0
) -> pd.DataFrame:
    """Each sentence scored once by each of its own annotators: a true score plus normal noise.

    True scores have variance 1 within a system; the systems lie `apart` from one to the next.
    """
    rng = np.random.default_rng(seed)
    shape = (sentences, annotators, systems)
    truth = rng.normal(size=(sentences, 1, systems)) + apart * np.arange(systems)
    scores = truth + noise * rng.normal(size=shape)
    sentence, annotator, system = (index.ravel() for index in np.indices(shape))
    return pd.DataFrame(
        {
            "judgment": [f"{place}/{judge}" for place, judge in zip(sentence, annotator, strict=True)],
            "annotator": [f"judge {place}/{judge}" for place, judge in zip(sentence, annotator, strict=True)],
            "sentence": sentence,
            "output": [f"output {number}" for number in system],
            "systems": [(f"S{number}",) for number in system],
            "score": scores.ravel(),
        }
    )
