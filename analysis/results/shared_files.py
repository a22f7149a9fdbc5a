"""Names and figures that a page and a published result share."""

from dataclasses import dataclass

from analysis.analyses.base import PEOPLE_AND_MACHINES, AnyAnalysis, includes_machines
from analysis.analyses.from_judgments import adds_followed, titled
from analysis.results.annotator_names import shown_annotators
from analysis.runs.sources import Subject
from annotate.judgments.queries import labels_of, roles_and_labels_of
from annotate.models import Corpus
from annotate.web.images import title_of
from core.names import Naming
from core.results import Computed, Layout, named, said
from core.results import Figure as DeclaredFigure
from figures.drawing import Chart


def naming_of(subject: Subject, parameters: object = None, *, may_see_names: bool = False) -> Naming:
    """The names that figures, files and pages of a campaign or corpus use.

    `parameters` of the analysis that they show; `may_see_names` as of `shown_annotators`: figures and files
    have no names of annotators.
    """
    if isinstance(subject, Corpus):
        roles = dict(subject.systems.values_list("name", "role"))
        return Naming(str(subject), labels_of(subject), roles, {})
    roles, labels = roles_and_labels_of(subject)
    combined = adds_followed(parameters)
    annotators = shown_annotators(subject, may_see_names=may_see_names, combined=combined)
    machines = f" ({PEOPLE_AND_MACHINES.lower()})" if includes_machines(parameters) else ""
    return Naming(titled(title_of(subject), parameters) + machines, labels, roles, annotators)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a published result.

    Attributes:
        caption: what it shows, as a heading.
        description: what it shows and finds, for people who cannot see it.
        chart: the figure.
        signature: of what it shows.
        narrow: the figure on a phone, where narrower panels are not enough.
        of_table: name of the table whose rows draw the same; empty if there is none.
    """

    caption: str
    description: str
    chart: Chart
    signature: str
    narrow: Chart | None = None
    of_table: str = ""

    def in_layout(self, layout: Layout) -> Chart:
        """The chart to draw in this layout."""
        return self.narrow if layout == "narrow" and self.narrow is not None else self.chart


def described(analysis: AnyAnalysis, figure: DeclaredFigure, computed: Computed, naming: Naming) -> str:
    """What a figure shows and finds, for people who cannot see it."""
    finding = named(figure.finding, computed, naming)
    shown = finding or analysis.finding(computed, naming)
    return ": ".join(filter(None, [said(figure.caption, computed), shown]))
