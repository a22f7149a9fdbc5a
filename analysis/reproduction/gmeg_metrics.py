"""Table 8 and Figure 3 of GMEG: metrics correlated with people over systems and synthetic systems."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import lru_cache

from analysis.reproduction import published_gmeg as published
from analysis.reproduction.cells import (
    LARGEST_TOLERANCE,
    Cell,
    Table,
    exact,
    not_comparable,
    rounded,
    unpublished,
    within,
)
from figures.drawing import Chart
from figures.metrics_people import significance_figure
from metrics.validation import (
    HumanScore,
    MetricsAndPeople,
    MixedScores,
    PairwiseTests,
    mixed_agreement,
    mixed_scores,
    mixed_williams,
)
from ranking import Coefficient

TABLES = ("8", "figure 3")

SYMBOLS = {Coefficient.PEARSON: "r", Coefficient.SPEARMAN: "rho"}
SIGNIFICANT = 0.05

CLOSE = {
    "GLEU": 0.06,
    "ERRANT F0.2": 0.06,
    "ERRANT F0.5": 0.06,
    "M2 F0.2": 0.11,
    "M2 F0.5": 0.11,
    "chrF++": 0.11,
}
CLOSE_ON_FCE = CLOSE | {"charGLEU": 0.02, "I-measure": 0.08}
"""How far correlations on the test sentences lay from the published ones in an independent computation, with
other synthetic systems."""

OTHER_SYSTEMS = "so far lay an independent computation, with other synthetic systems"
OTHERWISE = "no variant of the published definition gives this figure"
SAID = "the paper's text says that the difference is significant; the figure draws it"
DEVELOPMENT = "of development sentences, published of test sentences"
NO_TEXTS = "the texts of this domain are not public"
DRAWN = "drawn as grey or white, without its value"

Domains = Mapping[str, MetricsAndPeople | None]
"""By domain the judgments and metrics, named as in Table 8; None where texts are not public."""


def reproduce(domains: Domains, *, is_test: bool, tables: Collection[str]) -> dict[str, Table]:
    """The named tables of `TABLES`. Figures of development sentences cannot be compared."""
    compute = {"8": table_8, "figure 3": figure_3}
    return {name: compute[name](domains, is_test=is_test) for name in TABLES if name in tables}


def table_8(domains: Domains, *, is_test: bool) -> Table:
    """Pearson's r and Spearman's rho, cells such as "fce GLEU rho"."""
    cells = {}
    for domain, data in domains.items():
        agreed = {each.metric: each for each in mixed_agreement(data, _scores(data))} if data else {}
        for metric, figures in published.CORRELATIONS.items():
            for (coefficient, symbol), figure in zip(SYMBOLS.items(), figures[domain], strict=True):
                ours = agreed[metric].correlations[coefficient].value if data else None
                cells[f"{domain} {metric} {symbol}"] = _cell(figure, ours, domain, metric, is_test=is_test)
    return cells


def figure_3(domains: Domains, *, is_test: bool) -> Table:
    """One-sided p-values of Williams' test, cells such as "fce charGLEU over GLEU".

    Published is "< .05" where the paper's text says that a metric is significantly better.
    """
    cells = {}
    for domain, data in domains.items():
        if data is None:
            continue
        tests = mixed_williams(data, _scores(data))
        for row, better in enumerate(tests.metrics):
            for column, worse in enumerate(tests.metrics):
                if row != column:
                    p_value = tests.p_values[row][column]
                    said = _is_said(better, worse, domain)
                    cells[f"{domain} {better} over {worse}"] = _p_value(p_value, said=said, is_test=is_test)
    return cells


def figures(domains: Domains) -> dict[str, Chart]:
    """Figure 3, a matrix for each domain."""
    return {
        f"figure-3-{domain}": significance_figure(
            _tests(data), order=list(published.CORRELATIONS), title=f"{domain}: Williams\u2019 test"
        )
        for domain, data in domains.items()
        if data is not None
    }


def _tests(data: MetricsAndPeople) -> PairwiseTests:
    return mixed_williams(data, _scores(data))


@lru_cache(maxsize=8)
def _scores(data: MetricsAndPeople) -> MixedScores:
    return mixed_scores(data, HumanScore.MEAN, replicates=0)


def _cell(figure: float, ours: float | None, domain: str, metric: str, *, is_test: bool) -> Cell:
    if ours is None:
        return not_comparable(figure, None, NO_TEXTS)
    if not is_test:
        return not_comparable(figure, ours, DEVELOPMENT)
    close = (CLOSE_ON_FCE if domain == "fce" else CLOSE).get(metric)
    if close is None:
        return rounded(figure, ours, 3, OTHERWISE)
    return within(figure, ours, close, reason=OTHER_SYSTEMS if close > LARGEST_TOLERANCE else "")


def _is_said(better: str, worse: str, domain: str) -> bool:
    return published.BEST[domain] == better or domain in published.SIGNIFICANTLY_BETTER.get(
        (better, worse), ()
    )


def _p_value(p_value: float | None, *, said: bool, is_test: bool) -> Cell:
    if not said:
        return unpublished(p_value, DRAWN)
    is_significant = p_value is not None and p_value < SIGNIFICANT
    if not is_significant and not is_test:
        return not_comparable("< .05", p_value, f"{SAID}; {DEVELOPMENT}", printed=False)
    cell = exact("< .05", "< .05" if is_significant else "≥ .05", SAID, printed=False)
    return replace(cell, ours=p_value)
