"""A bundle: judgments and all that follows from them, as files of a zip.

Everything but the judgments and the parameters is computed from these two, so that a bundle is verified by
computing it again.
"""

import json
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.analyses.agreement import AgreementParameters, Judging, judge_agreement
from analysis.analyses.base import Progress
from analysis.analyses.inputs import judgments
from analysis.analyses.ranking import RANKING, RATED, Ranking, RankingParameters
from analysis.pages.ranking_tables import TABLES, Shown, csv_of, latex_of
from analysis.pages.tables import MOST_IN_A_MATRIX, Judge
from analysis.publishing.judgments import digests, number_of
from analysis.publishing.words import data_sheet, methods_paragraph
from analysis.runs.computing import computed
from assay import __version__
from figures.agreement import agreement_figure
from figures.drawing import Chart, Format, render
from figures.head_to_head import head_to_head_figure
from figures.ranking import ranking_figure
from formats.snapshots import frame_of_file
from metrics.parameters import parameters_as_text, parameters_from_text
from ranking import holds_scores

JUDGMENTS, DIGESTS, PARAMETERS = "judgments.csv", "judgments.sha256", "parameters.json"
FIGURE_FORMATS: tuple[Format, ...] = ("svg", "pdf")
EPOCH = (1980, 1, 1, 0, 0, 0)
"""Time of all files, so that equal contents give equal zips."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What a bundle was asked for.

    Attributes:
        title: of figures and the data sheet.
        ranking: how systems are ranked, resolved.
        source: the system that leaves sentences unchanged; None if it is not known.
        version: of Assay.
    """

    title: str
    ranking: RankingParameters
    source: str | None
    version: str = __version__

    def as_json(self) -> str:
        """The content of the file of parameters."""
        stated = {
            "assay": self.version,
            "title": self.title,
            "source": self.source,
            "ranking": parameters_as_text(self.ranking),
        }
        return json.dumps(stated, ensure_ascii=False, indent=1) + "\n"


def stated_from_json(text: str) -> Stated:
    """What the file of parameters says.

    Raises:
        ValueError: it is not what a bundle holds; the message says why.
    """
    found: Any = json.loads(text)
    try:
        parameters = parameters_from_text(RankingParameters, found["ranking"])
        return Stated(str(found["title"]), parameters, found["source"], str(found["assay"]))
    except (KeyError, TypeError) as error:
        raise ValueError(f"{PARAMETERS} lacks {error}") from error


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """What follows from the judgments and parameters of a bundle.

    Attributes:
        csv: the judgments.
        stated: what was asked for.
        parameters: how systems were ranked.
        shown: ranking and agreement.
        sentences: how many were judged.
    """

    csv: str
    stated: Stated
    parameters: RankingParameters
    shown: Shown
    sentences: int


def results_of(csv: str, stated: Stated, progress: Progress) -> Results:
    """Compute everything from the judgments.

    Raises:
        FormatError: the judgments cannot be read.
        ParameterError: they do not allow these parameters.
        SnapshotError: they lack something.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / JUDGMENTS
        path.write_text(csv, encoding="utf-8", newline="")
        frame = frame_of_file(path)
    parameters = RANKING.resolved(stated.ranking, scored=holds_scores(frame))
    inputs = judgments(frame, RATED, source=stated.source)
    ranking: Ranking = computed(RANKING, inputs, parameters, progress, {})
    of_judging = AgreementParameters(parameters.tie_width, weights=parameters.weights)
    judging: Judging = judge_agreement(inputs, of_judging, progress)
    judges = {key: Judge(key, number_of(key)) for key in judging.judges.judges}
    shown = Shown(ranking, judging, parameters.score_name, judges, labels={})
    return Results(csv, stated, parameters, shown, int(frame["sentence"].nunique()))


def texts_of(results: Results) -> dict[str, str]:
    """The files of a bundle apart from judgments, parameters and figures, by name."""
    shown = results.shown
    files = {
        DIGESTS: "".join(f"{line}\n" for line in digests(results.csv)),
        "methods.txt": methods_paragraph(results.parameters, shown.ranking, shown.judging),
        "datasheet.md": data_sheet(results.stated.title, shown.ranking, shown.judging, results.sentences),
    }
    for name in TABLES:
        files[f"tables/{name}.csv"] = "".join(csv_of(name, shown))
        files[f"tables/{name}.tex"] = "".join(latex_of(name, shown))
    return files


def write_bundle(path: Path, results: Results) -> None:
    """Write the zip; equal results give equal files, apart from figures.

    Raises:
        OSError: it cannot be written.
    """
    files: dict[str, str | bytes] = {
        JUDGMENTS: results.csv,
        PARAMETERS: results.stated.as_json(),
        **texts_of(results),
    }
    for name, (chart, signature) in charts_of(results).items():
        for kind in FIGURE_FORMATS:
            drawn = render(chart, theme="light", format=kind, signature=signature)
            files[f"figures/{name}.{kind}"] = drawn
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, EPOCH), content, zipfile.ZIP_DEFLATED)


def charts_of(results: Results) -> Mapping[str, tuple[Chart, str]]:
    """The figures of the ranking page with their signatures; matrices only for as many rows as fit."""
    ranking, judging = results.shown.ranking, results.shown.judging
    title, systems = results.stated.title, [standing.system for standing in ranking.standings.systems]
    score_name = f"{results.parameters.score_name}, {results.parameters.confidence:.0%} interval"
    of_systems = ranking_figure(ranking.standings, title=title, score_name=score_name)
    charts: dict[str, tuple[Chart, str]] = {"ranking": (of_systems, ranking.signature)}
    if len(systems) <= MOST_IN_A_MATRIX:
        won = f"{title}: % of decided comparisons won by the row"
        versus = head_to_head_figure(judging.head_to_head, systems, labels={}, title=won)
        charts["head-to-head"] = versus, judging.signature
    judges = results.shown.judges
    if len(judges) <= MOST_IN_A_MATRIX:
        labels = {key: judge.known_as for key, judge in judges.items()}
        agreed = f"{title}: agreement of annotators (κ)"
        charts["agreement"] = (
            agreement_figure(judging.agreement, labels=labels, title=agreed),
            judging.signature,
        )
    return charts
