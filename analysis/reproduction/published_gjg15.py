"""The figures of Grundkiewicz, Junczys-Dowmunt and Gillian 2015, "Human Evaluation of Grammatical Error
Correction Systems" (EMNLP), as printed; and, for section 4.1, exact values of the paper's formula that it
does not print.
"""

from fractions import Fraction

FEWEST_COMPARISONS = 50
"""Minimum number of comparisons; with fewer, Table 2b prints *."""

SCREEN = 5
"""M of section 4.1: the maximum number of outputs that a judge saw together."""


def _rows(table: str) -> list[tuple[str, list[str]]]:
    lines = [line.split() for line in table.strip().splitlines()]
    return [(first, rest) for first, *rest in lines]


TABLE_1_COLUMNS = ("rankings", "unexpanded pairs", "unexpanded ties", "expanded pairs", "expanded ties")
TABLE_1 = {
    int(judge): tuple(int(figure) for figure in figures)
    for judge, figures in _rows("""
        1 400 3525 1022 18400 10166
        2 299 2684 1099 13657 8429
        3 400 3523 914 18912 9684
        4 201 1750 550 9478 5539
        5 349 3099 766 17107 8972
        6 400 3474 517 19313 9209
        7 70 646 145 3383 1593
        8 200 1815 681 8848 5525
    """)
}
"""Table 1: by judge the figures of `TABLE_1_COLUMNS`."""

TABLE_1_TOTAL = (2319, 20516, 5694, 109098, 59117)
"""Table 1, last row: all judges."""

TABLE_2A = {"inter": 0.29, "intra": 0.46}
"""Table 2a: kappa between judges and of judges with themselves."""

TABLE_2B = {
    (int(judge), int(judge) + offset): figure if figure == "*" else float(figure)
    for judge, figures in _rows("""
        1 .42 .26 .30 .37 .34 .26 .31 .24
        2 .30 .25 .28 .23 .20 .10 .20
        3 .50 .35 .44 .34 .46 .26
        4 .34 .34 .30 .20 .26
        5 .60 .36 .34 .32
        6 .44 .35 .25
        7 * *
        8 .48
    """)
    for offset, figure in enumerate(figures)
}
"""Table 2b: kappa by two judges, the first at most the second; "*" where they have too few comparisons."""

TABLE_3B = {
    system: float(score)
    for system, (score,) in _rows("""
        AMU   .628
        RAC   .566
        CAMB  .561
        CUUI  .550
        POST  .539
        UFC   .513
        PKU   .506
        UMC   .495
        IITB  .485
        SJTU  .463
        INPUT .456
        NTHU  .437
        IPN   .300
    """)
}
"""Table 3b: ExpectedWins by system, best first."""

TABLE_3D = {
    (row, column): (float(cell.rstrip("⋆†‡")), cell.lstrip(".0123456789"))
    for row, cells in _rows("""
        AMU   –    .44‡ .47⋆ .46† .44‡ .34‡ .40‡ .37‡ .32‡ .34‡ .32‡ .31‡ .24‡
        RAC   .56‡ –    .53  .48  .48  .40‡ .45† .44‡ .39‡ .38‡ .38‡ .43‡ .28‡
        CAMB  .53⋆ .47  –    .49  .45‡ .43‡ .43‡ .42‡ .42‡ .43‡ .42‡ .43‡ .34‡
        CUUI  .54† .52  .51  –    .49  .42‡ .47  .46† .42‡ .41‡ .41‡ .42‡ .32‡
        POST  .56‡ .52  .55‡ .51  –    .45‡ .47  .46⋆ .44‡ .44‡ .43‡ .42‡ .29‡
        UFC   .66‡ .60‡ .57‡ .58‡ .55‡ –    .54⋆ .50  .49  .44⋆ .27† .42‡ .21‡
        PKU   .60‡ .55† .57‡ .53  .53  .46⋆ –    .50  .47  .46⋆ .46⋆ .46† .35‡
        UMC   .63‡ .56‡ .58‡ .54† .54⋆ .50  .50  –    .48  .47  .48  .45‡ .35‡
        IITB  .68‡ .61‡ .58‡ .58‡ .56‡ .51  .53  .52  –    .48  .43  .43‡ .27‡
        SJTU  .66‡ .62‡ .57‡ .59‡ .56‡ .56⋆ .54⋆ .53  .52  –    .53  .46⋆ .30‡
        INPUT .68‡ .62‡ .58‡ .59‡ .57‡ .73† .54⋆ .52  .57  .47  –    .43‡ .22‡
        NTHU  .69‡ .57‡ .57‡ .58‡ .58‡ .58‡ .54† .55‡ .57‡ .54⋆ .57‡ –    .41‡
        IPN   .76‡ .72‡ .66‡ .68‡ .71‡ .79‡ .65‡ .65‡ .73‡ .70‡ .78‡ .59‡ –
    """)
    for column, cell in zip(TABLE_3B, cells, strict=True)
    if cell != "–"
}
"""Table 3d: by row and column, how often the column's system beat the row's, and the sign test's mark."""

MEAN_DISTINCT_OUTPUTS = 5.7
"""Section 4.3: distinct outputs of a sentence, on average."""

# The paper does not print the rest: values that follow exactly from its formula and its data, computed
# independently of this project's code.

SENTENCES_BY_DISTINCT_OUTPUTS = (21, 85, 149, 175, 211, 201, 173, 133, 102, 43, 16, 2, 1)
"""Figure 1: the number of sentences with 1, 2, ... 13 distinct outputs."""

SUM_OF_PSEUDO_PROBABILITIES = 366.652355731964
SMALLEST_PROBABILITY = 0.00034966
LARGEST_PROBABILITY = 0.00272738
LARGEST_OVER_SMALLEST_PROBABILITY = Fraction("7.8")

COVERAGES = {
    shape: (Fraction(coverage), Fraction(pseudo_probability))
    for shape, (coverage, pseudo_probability) in _rows("""
        13          13       5/39
        1,12        25/2     16/115
        2,11        12       5/33
        1,1,11      12       5/33
        1^4,9       11       2/11
        1^13        5        1
        2,2,3,3,3   191/25   6250/15853
        1,1,1,1,2,7 37/4     320/1221
        1^8,5       1607/219 239805/557629
        1,1,1,2,1   26/5     250/273
        1,3,2,6,1   181/21   441/1448
    """)
}
"""C and p' of section 4.1 by shape, 1^4 being four outputs of one system each. The last two: Figure 2b."""


def multiplicities(shape: str) -> tuple[int, ...]:
    """The multiplicities of a key of `COVERAGES`: "1^4,9" is (1, 1, 1, 1, 9)."""
    parts = (part.partition("^") for part in shape.split(","))
    return tuple(int(size) for size, _, repeats in parts for _ in range(int(repeats or 1)))
