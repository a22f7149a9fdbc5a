"""Tables 6 and 7 of GJG15 as printed: the rankings of the single judges and how they correlate."""

from dataclasses import dataclass

REPLICATES = 1000
CONFIDENCE = 0.9
"""Table 7: ranges and clusters are from bootstrap resampling at p <= .1."""


@dataclass(frozen=True, slots=True)
class PrintedRank:
    """A row of Table 7.

    Attributes:
        cluster: the number of its cluster, 1 being the best.
        score: ExpectedWins.
        range: its ranks, such as "1-2" or "13".
    """

    cluster: int
    score: float
    range: str


TABLE_6 = {
    (row, column): float(figure)
    for row, figures in enumerate(
        (
            "–   .70 .31 .76 .74 .19 .62 .48",
            ".72 –   .77 .84 .90 .57 .59 .64",
            ".53 .89 –   .66 .70 .58 .42 .64",
            ".82 .79 .69 –   .91 .42 .67 .54",
            ".65 .85 .82 .87 –   .63 .63 .51",
            ".32 .71 .67 .56 .86 –   .63 .39",
            ".72 .74 .57 .76 .72 .63 –   .63",
            ".64 .85 .86 .69 .72 .57 .75 –",
        ),
        start=1,
    )
    for column, figure in enumerate(figures.split(), start=1)
    if figure != "–"
}
"""Table 6 by the judges of row and column: Spearman's rho where the row comes first, else Pearson's r."""

WITH_REST = {
    1: (0.70, 0.67),
    2: (0.93, 0.93),
    3: (0.63, 0.82),
    4: (0.91, 0.87),
    5: (0.93, 0.92),
    6: (0.42, 0.66),
    7: (0.76, 0.80),
    8: (0.60, 0.82),
}
"""By judge rho and r with the ranking from all other judges: the last but one column and row of Table 6."""

MEAN_WITH_REST = (0.72, 0.80)
"""Their means rho and r, weighted by the judges' judgments: the last column and row."""

_TABLE_7 = """
1 | 1 .674 1-2 CAMB, .658 1-2 AMU | 2 .573 3-6 CUUI, .573 3-6 PKU, .566 3-7 POST, .553 3-8 RAC, .544 4-8 NTHU,
    .537 5-8 UMC | 3 .436 9-10 SJTU, .419 9-11 UFC, .387 10-12 IITB, .332 11-12 INPUT | 4 .276 13 IPN
2 | 1 .640 1 AMU | 2 .559 2-6 CUUI, .558 2-6 RAC, .557 2-7 UFC, .543 2-7 CAMB, .526 3-9 PKU, .511 5-10 POST,
    .511 4-11 IITB, .508 5-10 UMC, .473 7-11 INPUT, .472 8-11 NTHU | 3 .398 12 SJTU | 4 .286 13 IPN
3 | 1 .612 1-2 AMU, .578 2-3 CUUI, .564 2-5 UFC, .534 3-7 RAC, .526 4-7 POST, .517 4-8 UMC, .508 4-9 IITB,
    .474 5-11 INPUT, .467 8-12 SJTU, .464 8-12 PKU, .463 8-12 CAMB, .458 9-12 NTHU | 2 .333 13 IPN
4 | 1 .641 1-2 AMU, .631 1-2 CAMB | 2 .581 3-4 RAC, .578 3-4 CUUI | 3 .507 5-10 UFC, .494 5-10 POST,
    .490 5-10 UMC, .488 5-11 SJTU, .486 5-10 PKU, .473 5-11 INPUT, .441 9-12 NTHU, .378 11-12 IITB
    | 4 .313 13 IPN
5 | 1 .613 1-2 AMU, .608 1-2 RAC | 2 .568 3-5 CUUI, .554 3-6 CAMB, .535 4-7 POST, .526 4-9 UFC, .515 5-9 PKU,
    .496 6-10 SJTU, .487 6-11 INPUT, .472 8-11 IITB, .461 9-11 UMC | 3 .375 12 NTHU | 4 .290 13 IPN
6 | 1 .601 1-2 RAC, .579 1-4 AMU, .565 1-6 IITB, .562 2-6 POST, .548 2-8 INPUT, .535 3-8 UFC, .519 6-9 PKU,
    .516 6-9 CAMB, .491 7-10 SJTU, .474 9-10 CUUI | 2 .428 11 UMC | 3 .368 12 NTHU | 4 .313 13 IPN
7 | 1 .788 1 AMU | 2 .697 2 CAMB | 3 .553 3-7 RAC, .544 3-7 UMC, .537 3-7 POST, .533 3-10 IITB, .487 5-10 PKU,
    .474 5-12 INPUT, .462 6-11 CUUI, .436 6-12 SJTU, .408 8-12 UFC, .386 9-12 NTHU | 4 .303 13 IPN
8 | 1 .660 1-2 AMU, .625 1-3 CUUI, .568 2-7 IITB, .556 3-6 CAMB, .543 3-7 UMC, .537 3-7 POST, .483 5-10 INPUT,
    .481 5-10 UFC, .478 7-11 RAC, .466 7-11 NTHU, .420 10-12 PKU, .419 10-12 SJTU | 2 .260 13 IPN
"""


def _ranking(clusters: list[str]) -> dict[str, PrintedRank]:
    ranks = {}
    for cluster in clusters:
        number, rows = cluster.split(maxsplit=1)
        for row in rows.split(","):
            score, printed, system = row.split()
            ranks[system] = PrintedRank(int(number), float(score), printed)
    return ranks


TABLE_7 = {
    int(judge): _ranking(clusters)
    for judge, *clusters in (
        ranking.split("|") for ranking in _TABLE_7.strip().replace("\n    ", " ").splitlines()
    )
}
"""By judge the systems, best first."""
