"""The results that are computed from the inputs of a bundle."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.analyses.analysis_inputs import Inputs
from analysis.analyses.base import AnyAnalysis, Table
from analysis.analyses.from_judgments import titled
from analysis.publishing.inputs.bundled_inputs import judgments_of, read_inputs
from analysis.publishing.inputs.judgments import number_of
from analysis.publishing.stated import Stated
from analysis.publishing.words import COLUMNS_OF_FACTS, data_sheet, facts_of, methods_paragraph
from analysis.results.declared_pages import drawn_figures, published_tables
from analysis.results.shared_files import Figure
from analysis.runs.computing import computed_with_beside
from core.names import Naming, ShownAnnotator
from core.progress import Progress
from core.results import Computed

METHODS, DATA_SHEET = "methods.txt", "datasheet.md"


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """Everything that is computed from the inputs and parameters of a bundle.

    Attributes:
        stated: the request.
        inputs: of the analysis.
        computed: its result, and that of the analysis beside it.
        naming: names in figures and tables.
        facts: what the data are, a name and a figure each.
    """

    stated: Stated
    inputs: Inputs
    computed: Computed
    naming: Naming
    facts: list[tuple[str, str]]

    @property
    def analysis(self) -> AnyAnalysis:
        """The analysis."""
        return self.stated.analysis

    @property
    def headline(self) -> str:
        """The result in a sentence."""
        return self.analysis.finding(self.computed, self.naming)

    @property
    def figures(self) -> dict[str, Figure]:
        """The figures by name."""
        return drawn_figures(self.analysis, self.computed, self.naming)

    @property
    def signatures(self) -> dict[str, str]:
        """The signature of the result, and of the one beside it, by what they are of."""
        return {f"the {each.name}": shown.result.signature for each, shown in self._parts}

    @property
    def methods(self) -> str:
        """How it was computed, as a paragraph for a paper."""
        sentences = [sentence for each, shown in self._parts for sentence in each.methods_of(shown)]
        return methods_paragraph(sentences, self.facts, self.computed.result.signature)

    @property
    def _parts(self) -> list[tuple[AnyAnalysis, Computed]]:
        return self.analysis.with_beside(self.computed)

    @property
    def tables(self) -> list[Table]:
        """The tables as terminals show them."""
        return list(self.analysis.printed_tables(self.computed, self.naming))


def results_of(folder: Path, stated: Stated, progress: Progress) -> Results:
    """Compute everything from the inputs in this folder.

    Raises:
        BundleError, FormatError: a file cannot be read.
        ParameterError: the inputs do not allow the parameters.
        SnapshotError: the judgments lack something.
        AnnotatorNameError: an annotator is not named as in a bundle.
    """
    progress.begin("Reading the bundle")
    inputs, parameters = read_inputs(folder, stated, COLUMNS_OF_FACTS, progress)
    frame = judgments_of(inputs).snapshot
    annotators = {key: ShownAnnotator(key, number_of(key)) for key in map(str, frame["annotator"].unique())}
    computed = computed_with_beside(stated.analysis, inputs, parameters, progress)
    progress.begin("Describing the data")
    return Results(
        stated,
        inputs,
        computed,
        Naming(titled(stated.title, parameters), {}, stated.roles, annotators),
        facts_of(frame, stated),
    )


def texts_of(results: Results, files: Sequence[str]) -> Iterator[tuple[str, Iterator[str]]]:
    """The computed texts of a bundle by name, in lines; `files` are the others that it holds."""
    yield METHODS, iter([results.methods])
    yield DATA_SHEET, iter([data_sheet(results.stated, results.facts, results.signatures, files)])
    for name, table in published_tables(results.analysis, results.computed, results.naming).items():
        yield f"tables/{name}.csv", table.csv()
        yield f"tables/{name}.tex", table.latex()
