"""The released histograms of corrections, and the distributions estimated from them."""

from pathlib import Path

import numpy as np

from metrics.meta_evaluation.coverage import CorrectionDistribution


def histograms(reference_data: Path, match: str) -> list[list[int]]:
    """How often corrections were given, by sentence in the order of file names."""
    return [
        [int(float(number)) for number in _input_of(path).read_text().split()]
        for path in _outputs(reference_data, match)
    ]


def released_distributions(reference_data: Path, match: str) -> list[CorrectionDistribution]:
    """The released estimates of the same sentences."""
    return [
        CorrectionDistribution(*np.loadtxt(path, skiprows=1, delimiter="\t").T)
        for path in _outputs(reference_data, match)
    ]


def _outputs(reference_data: Path, match: str) -> list[Path]:
    return sorted((reference_data / "corrections" / "unseenest").glob(f"*_{match}_output_hist.txt"))


def _input_of(path: Path) -> Path:
    return path.with_name(path.name.replace("output", "input"))
