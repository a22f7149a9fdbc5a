"""Table 2 of MAEGE (Choshen and Abend 2018)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A metric in Table 2.

    Attributes:
        label: as the paper prints it.
        spearman: of corpora.
        pearson: of sentences.
        tau: of pairs of sentences.
    """

    label: str
    spearman: float
    pearson: float
    tau: float


TABLE_2 = {
    "ibleu": Row("iBLEU", 0.418, 0.230, 0.050),
    "m2": Row("M2", 0.060, -0.025, 0.213),
    "grammaticality": Row("LT", 0.973, 0.167, 0.222),
    "bleu": Row("BLEU", 0.564, 0.214, 0.111),
    "minld": Row("MinLD", -0.867, 0.011, -0.183),
    "gleu": Row("GLEU", 0.736, 0.189, -0.028),
    "max-sari": Row("MAX-SARI", -0.809, 0.027, -0.070),
    "sari": Row("SARI", -0.545, 0.061, -0.039),
    "ld-source": Row("LD S→O", -0.118, 0.109, 0.094),
}
"""The rows of Table 2 by metric."""
