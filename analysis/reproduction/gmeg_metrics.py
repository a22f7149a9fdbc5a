"""Table 8 and Figure 3 of GMEG: metrics correlated with people over systems and synthetic systems."""

from analysis.reproduction.cells import OurFigures, Ours, Table, compare, unpublished
from analysis.reproduction.public_data.gmeg_data import NO_TEXTS, Gmeg, printed_of
from figures.drawing import Chart
from figures.metrics.metrics_people import significance_figure
from metrics.meta_evaluation import PairwiseTests, mixed_agreement, mixed_williams
from ranking import Coefficient

SYMBOLS = {Coefficient.PEARSON: "r", Coefficient.SPEARMAN: "rho"}
SIGNIFICANT = 0.05

DEVELOPMENT = "of development sentences, published of test sentences"
DRAWN = "drawn as grey or white, without its value"


def table_8(data: Gmeg) -> Table:
    """Pearson's r and Spearman's rho, cells such as "fce GLEU rho".

    Tolerances are how far correlations on the test sentences lay from the published ones in an independent
    computation, with other synthetic systems. Figures of development sentences cannot be compared.
    """
    published = printed_of(data.compared, "8")
    ours: OurFigures = {name: Ours(None, cannot=NO_TEXTS) for name in published}
    for domain, scored in data.compared.items():
        for agreed in mixed_agreement(scored.metrics_and_people, scored.mixed) if scored else ():
            for coefficient, symbol in SYMBOLS.items():
                value = agreed.correlations[coefficient].value
                ours[f"{domain} {agreed.metric} {symbol}"] = _of_split(value, data)
    return compare(published, ours)


def _of_split(value: float | None, data: Gmeg) -> Ours:
    if value is None:
        return Ours(None, cannot=NO_TEXTS)
    return Ours(value) if data.tested else Ours(value, cannot=DEVELOPMENT)


def figure_3(data: Gmeg) -> Table:
    """One-sided p-values of Williams' test, cells such as "fce charGLEU over GLEU".

    Published is "< .05" where the paper's text says that a metric is significantly better.
    """
    found = {
        f"{domain} {better} over {worse}": tests.p_values[row][column]
        for domain, tests in _tests(data).items()
        for row, better in enumerate(tests.metrics)
        for column, worse in enumerate(tests.metrics)
        if row != column
    }
    said = {name: each for name, each in printed_of(data.compared, "figure 3").items() if name in found}
    ours: OurFigures = {}
    for name in said:
        p_value = found[name]
        if p_value is not None and p_value < SIGNIFICANT:
            ours[name] = Ours(p_value, sign="< .05")
        else:
            ours[name] = Ours(p_value, sign="≥ .05", cannot="" if data.tested else DEVELOPMENT)
    return {name: unpublished(p_value, DRAWN) for name, p_value in found.items()} | compare(said, ours)


def drawn_figure_3(data: Gmeg) -> dict[str, Chart]:
    """Figure 3, a matrix for each domain."""
    return {
        f"figure-3-{domain}": significance_figure(
            tests, order=list(tests.metrics), title=f"{domain}: Williams’ test"
        )
        for domain, tests in _tests(data).items()
    }


def _tests(data: Gmeg) -> dict[str, PairwiseTests]:
    return {
        domain: mixed_williams(scored.metrics_and_people, scored.mixed)
        for domain, scored in data.compared.items()
        if scored
    }
