"""Scores of the systems of CoNLL-2014 by the metrics' official tools, and by independent programs.

M2 by the official scorer, version 3.2, with the gold edits of both annotators; GLEU by the tool of 2016
with both annotators' corrections and 500 iterations; the I-measure by the released tool with its option
-nomix. Where such a tool was not run to the end, an independent program gave the figure.
"""

SYSTEMS = ("CAMB", "CUUI", "AMU", "POST", "NTHU", "RAC", "UMC", "PKU", "SJTU", "UFC", "IPN", "IITB", "INPUT")


def _rows(table: str) -> dict[str, tuple[float, ...]]:
    lines = [line.split() for line in table.strip().splitlines()]
    return {system: tuple(map(float, figures)) for system, *figures in lines}


M2 = _rows("""
    CAMB   .3971  .3010  .3733
    CUUI   .4178  .2488  .3679
    AMU    .4162  .2140  .3501
    POST   .3451  .2173  .3088
    NTHU   .3508  .1885  .2992
    RAC    .3314  .1499  .2668
    UMC    .3127  .1446  .2537
    PKU    .3221  .1365  .2532
    SJTU   .3011  .0510  .1519
    UFC    .7000  .0172  .0784
    IPN    .1128  .0285  .0709
    IITB   .3077  .0139  .0590
    INPUT  1      0      0
""")
"""Precision, recall and F0.5."""

GLEU = {
    "AMU": 0.583256,
    "CAMB": 0.592553,
    "CUUI": 0.589398,
    "IITB": 0.566563,
    "IPN": 0.553389,
    "NTHU": 0.572567,
    "PKU": 0.578599,
    "POST": 0.569170,
    "RAC": 0.565503,
    "SJTU": 0.570336,
    "UFC": 0.569016,
    "UMC": 0.572689,
}

OFFICIAL_GLEU = ("AMU", "CAMB", "UFC")
"""Systems whose GLEU the official tool printed."""

I_MEASURE_COUNTS = _rows("""
    UFC    31   28132  19    2519  5
    IITB   28   28105  72    2520  12
    SJTU   118  27878  265   2476  26
    PKU    274  27499  730   2395  152
    IPN    65   27712  573   2514  86
    AMU    484  27350  888   2294  136
    CUUI   609  27169  1030  2271  109
    UMC    340  27426  877   2374  100
    CAMB   785  26706  1454  2206  193
    POST   512  26962  1267  2275  118
""")
"""TP, TN, FP, FN and FPN of correction."""

I_MEASURE = {
    "UFC": 0.17,
    "IITB": -0.31,
    "SJTU": -1.20,
    "PKU": -3.03,
    "IPN": -3.12,
    "AMU": -3.30,
    "CUUI": -3.83,
    "UMC": -3.92,
    "CAMB": -5.40,
    "POST": -5.66,
    "NTHU": -5.43,
    "RAC": -5.71,
}
"""I of correction, times 100."""
