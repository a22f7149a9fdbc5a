"""Figures and tables of a ranking and of the agreement of annotators, for the page and published results."""

from collections.abc import Mapping

from analysis.analyses.agreement import Judging
from analysis.analyses.base import Table
from analysis.analyses.ranking import Ranking, RankingParameters
from analysis.pages.ranking_headline import ROLES, headline
from analysis.pages.ranking_tables import (
    OF_AGREEMENT,
    TABLES,
    Shown,
    ShownJudging,
    csv_of,
    latex_of,
    signature_of,
)
from analysis.pages.shared_files import Figure, FileTable, SharedFiles, single_figure
from analysis.pages.tables import MOST_IN_A_MATRIX, in_order, with_labels
from core.names import Naming
from core.results import Computed, Layout
from figures.agreement import agreement_figure
from figures.drawing import Chart
from figures.head_to_head import head_to_head_figure
from figures.ranking import ranking_figure


def ranking_chart(
    ranking: Ranking, parameters: RankingParameters, naming: Naming, layout: Layout = "wide"
) -> Chart:
    """Systems with their scores, intervals and ranks."""
    labelled = with_labels(ranking.standings, naming.labels)
    named = zip(ranking.standings.systems, labelled.systems, strict=True)
    return ranking_figure(
        labelled,
        title=naming.title,
        score_name=f"{parameters.score_name}, {100 * parameters.confidence:g}% interval",
        hollow={shown.system for given, shown in named if naming.roles.get(given.system) in ROLES},
        layout=layout,
    )


def head_to_head_chart(ranking: Ranking, judging: Judging, naming: Naming) -> Chart | None:
    """Systems against each other, in the order of the ranking; None for too many."""
    if len(ranking.standings.systems) > MOST_IN_A_MATRIX:
        return None
    labelled = with_labels(ranking.standings, naming.labels)
    named = zip(ranking.standings.systems, labelled.systems, strict=True)
    return head_to_head_figure(
        judging.head_to_head,
        [standing.system for standing in ranking.standings.systems],
        labels={given.system: shown.system for given, shown in named},
        title=f"{naming.title}: % of decided comparisons won by the row",
    )


def agreement_chart(judging: Judging, naming: Naming) -> Chart | None:
    """Kappa of each pair of annotators, by number; None for too many annotators."""
    if len(judging.agreement.judges) > MOST_IN_A_MATRIX:
        return None
    shown = in_order(judging.agreement.judges, naming.judges)
    return agreement_figure(
        judging.agreement,
        labels={judge.key: judge.known_as for judge in shown},
        title=f"{naming.title}: agreement of annotators (κ)",
    )


def shown_of(computed: Computed, naming: Naming) -> Shown:
    """The data of the tables of a ranking."""
    return Shown(
        judging=computed.beside,
        judges=naming.judges,
        ranking=computed.result,
        score_name=computed.parameters.score_name,
    )


def ranking_figures(computed: Computed, naming: Naming) -> dict[str, Figure]:
    """The figures of a published ranking."""
    ranking, judging = computed.result, computed.beside
    wide = ranking_chart(ranking, computed.parameters, naming)
    narrow = ranking_chart(ranking, computed.parameters, naming, "narrow")
    figures = {"ranking": Figure("Scores of systems with intervals", wide, ranking.signature, narrow)}
    if (versus := head_to_head_chart(ranking, judging, naming)) is not None:
        caption = "How often each system beat each of the others"
        figures["head-to-head"] = Figure(caption, versus, judging.signature)
    return figures | _agreement_figure(judging, naming)


def agreement_figures(computed: Computed, naming: Naming) -> dict[str, Figure]:
    """The figure of published agreement."""
    return _agreement_figure(computed.result, naming)


def ranking_tables(computed: Computed, naming: Naming) -> dict[str, FileTable]:
    """The tables of a published ranking."""
    shown = shown_of(computed, naming)
    return {
        name: _file_table(make(shown), signature_of(name, shown), naming.labels)
        for name, make in TABLES.items()
    }


def agreement_tables(computed: Computed, naming: Naming) -> dict[str, FileTable]:
    """The tables of published agreement."""
    shown = ShownJudging(computed.result, naming.judges)
    return {
        name: _file_table(make(shown), shown.judging.signature, naming.labels)
        for name, make in OF_AGREEMENT.items()
    }


def agreement_headline(computed: Computed, naming: Naming) -> str:
    """How far annotators agree, in a sentence."""
    kappa = computed.result.agreement.inter
    if kappa.value is None:
        return f"The agreement of annotators is not defined: {kappa.reason}"
    return f"Annotators agree with κ = {kappa.value:.2f}"


def _agreement_figure(judging: Judging, naming: Naming) -> dict[str, Figure]:
    caption, chart = "Agreement of each pair of annotators", agreement_chart(judging, naming)
    return single_figure("agreement", caption, chart, judging.signature)


def _file_table(table: Table, signature: str, labels: Mapping[str, str]) -> FileTable:
    return FileTable(lambda: csv_of(table, signature), lambda: latex_of(table, signature, labels))


RANKING_FILES = SharedFiles(
    lambda computed, naming: headline(computed.result.standings, naming.roles, naming.labels),
    ranking_figures,
    ranking_tables,
    beside="agreement",
)
AGREEMENT_FILES = SharedFiles(agreement_headline, agreement_figures, agreement_tables)
