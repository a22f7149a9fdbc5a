"""Table 2 of MAEGE (Choshen and Abend 2018), and what an independent program gave for Table 4.

The figures of Tables 3 and 4 are not in the text that is at hand.
"""

from dataclasses import dataclass

SENTENCES = 764
LATTICES = 1809
CORRECTIONS = 7936
PAIRS = 19822


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
"""By metric."""

ORIGINAL_SPEARMAN = {"gleu": 0.93, "sari": 0.89, "max-sari": 0.86, "minld": -0.85}
ORIGINAL_TAU = {"gleu": 0.76, "sari": 0.64, "max-sari": 0.62}
"""With the original as source, by an independent program on two seeds."""

TYPES = {"Vm": "penalised", "Npos": "penalised", "Mec": "rewarded", "V0": "rewarded"}
"""Types that most metrics penalise or reward, by section 7."""
