"""Agreement of annotators in each document: whether some documents are harder to judge alike."""

from dataclasses import dataclass
from math import inf

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.from_judgments import FromJudgments, tie_width_resolved
from analysis.analyses.judgment_inputs import DocumentJudgments
from analysis.analyses.resampling import confidence_of_intervals, replicates_of_intervals, seed_of_everything
from analysis.analyses.systems.ranking import RATED
from core.columns import Count, Estimated, Spread, Text
from core.later import alt, pd
from core.names import Naming
from core.progress import Progress
from core.results import Computed, Figure, Layout
from core.tables import Table
from core.wording import percent, some_of
from figures.drawing import Chart
from formats.snapshot.vocabulary import AnswerKind
from ranking import DocumentAgreement, agreement_by_document

WIDTHS = {"wide": 420, "narrow": 180}
"""Width of the panel in pixels, on a desktop and on a phone."""

MOST_SHOWN = 100
"""Documents on the page and in the figure, the lowest kappas first: thousands of bars cannot be rendered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementByDocumentParameters(FromJudgments):
    """Which judgments count, and the intervals. Attributes: see each parameter's help."""

    confidence: float = confidence_of_intervals()
    replicates: int = replicates_of_intervals()
    seed: int = seed_of_everything()


@dataclass(frozen=True, slots=True)
class AgreementByDocument:
    """Agreement on each document, in alphabetical order, with the signature of these numbers."""

    signature: str
    documents: tuple[DocumentAgreement, ...]


def compute(
    judgments: DocumentJudgments, parameters: AgreementByDocumentParameters, progress: Progress
) -> AgreementByDocument:
    """Kappa of each document (`ranking.agreement.agreement_by_document`).

    Raises:
        SnapshotError: the judgments lack something.
    """
    progress.begin("Comparing annotators by document")
    found = agreement_by_document(
        judgments.snapshot,
        judgments.groups,
        parameters.by,
        confidence=parameters.confidence,
        replicates=parameters.replicates,
        seed=parameters.seed,
        step=progress.step,
    )
    return AgreementByDocument(judgments.signature(stated("agreement-by-document", parameters)), found)


def _lowest_first(computed: Computed) -> list[DocumentAgreement]:
    """The documents in which annotators agree least first; those without a kappa last."""
    return sorted(
        computed.result.documents,
        key=lambda each: inf if each.kappa.value is None else each.kappa.value,
    )


def _with_kappa(computed: Computed) -> list[DocumentAgreement]:
    return [each for each in _lowest_first(computed) if each.kappa.value is not None]


def headline(computed: Computed, naming: Naming) -> str:
    """The documents between which agreement lies, and whether their intervals overlap."""
    documents = _with_kappa(computed)
    if not documents:
        return "No two annotators judged the same outputs of a document"
    first, last = documents[0], documents[-1]
    low, high = (f"{each.kappa.value:.2f}" for each in (first, last))
    if first is last:
        return f"Kappa between annotators is {low} in {first.document}"
    if low == high:
        return f"Kappa between annotators is {low} in {some_of(len(documents), len(documents), 'document')}"
    overlap = first.high is not None and last.low is not None and last.low <= first.high
    but = ", but their intervals overlap" if overlap else ""
    return f"Kappa between annotators ranges from {low} in {first.document} to {high} in {last.document}{but}"


def methods(parameters: AgreementByDocumentParameters, result: AgreementByDocument) -> list[str]:
    """The computation in sentences for a paper."""
    return [
        f"Kappa between annotators over pairs of outputs is given for {len(result.documents)} documents, "
        f"with {percent(parameters.confidence)} intervals ({parameters.replicates} resamples)."
    ]


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """A bar with its interval for each of the documents with the lowest kappas, the lowest first."""
    documents = _with_kappa(computed)
    drawn = documents[:MOST_SHOWN]
    rows = [(each.document, each.kappa.value, each.low, each.high) for each in drawn]
    frame = pd.DataFrame(rows, columns=["document", "kappa", "low", "high"])
    base = alt.Chart(frame, width=WIDTHS[layout], height=alt.Step(24))
    y = alt.Y("document:N", title=None, sort=frame["document"].tolist())
    bars = base.mark_bar(height=10, opacity=0.3).encode(
        y=y, x=alt.X("kappa:Q", title="kappa between annotators")
    )
    lines = base.mark_rule(strokeWidth=2).encode(y=y, x="low:Q", x2="high:Q")
    title = f"{naming.title}: agreement by document"
    if len(drawn) < len(documents):
        title += f", the lowest {len(drawn):,} of {len(documents):,}"
    return alt.LayerChart(layer=[bars, lines], title=title)


def note(computed: Computed, naming: Naming) -> str:
    """Which documents the page leaves to the files."""
    documents = len(computed.result.documents)
    if documents <= MOST_SHOWN:
        return ""
    return f"The {MOST_SHOWN} of {documents:,} documents with the lowest kappas; the files hold all."


DOCUMENTS = Table(
    rows=_lowest_first,
    page_rows=lambda computed: _lowest_first(computed)[:MOST_SHOWN],
    columns=(
        Text("document", "Document"),
        Estimated(
            "kappa",
            "Kappa",
            lambda each: Spread(each.kappa.value, each.low, each.high, each.kappa.reason),
            ends_on_paper=("from", "to"),
            drawn="Kappa with interval",
        ),
        Count("sentences", "Sentences"),
        Count("comparisons", "Comparisons", lambda each: each.kappa.n),
    ),
    caption="Kappa between annotators by document",
    note=note,
)

AGREEMENT_BY_DOCUMENT = register(
    Analysis(
        name="agreement-by-document",
        title="Agreement by document",
        group=Group.ANNOTATORS,
        question="In which documents do annotators disagree?",
        help="How far annotators agree in each document.",
        parameters=AgreementByDocumentParameters,
        result=AgreementByDocument,
        inputs=DocumentJudgments,
        columns=RATED,
        answers=AnswerKind.RATINGS,
        compute=compute,
        resolve=tie_width_resolved,
        tables={"documents": DOCUMENTS},
        figures={
            "documents": Figure(
                caption="Kappa by document",
                draw=draw,
                has_content=lambda each: bool(_with_kappa(each)),
                of_table="documents",
            )
        },
        headline=headline,
        methods=methods,
        nothing="No judged sentence stands in a known document. Import the corpus with documents.",
        explanation="Kappa is that of *Ranking*, pooled over all comparisons of annotators on a document. "
        "Intervals resample its sentences.",
        fields=("domain", "controls", "excluded", "confidence"),
    )
)
