"""All components on one page, for those who work on the pages; only with `DEBUG`."""

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.models import CampaignState
from annotate.web.access import anyone
from annotate.web.images import image_of
from core.bars import Bar
from core.columns import (
    Amount,
    Annotator,
    AnnotatorPair,
    Annotators,
    Code,
    Column,
    Corrector,
    Count,
    Estimated,
    Number,
    Prose,
    PValue,
    Share,
    Spread,
    System,
    Text,
    Verdict,
)
from core.marks import scale_of
from core.names import Naming, ShownAnnotator
from core.pairs_of_systems import SystemPair
from core.results import Computed
from core.tables import FilledTable, Table
from figures.colours import colours
from figures.metrics.metrics_people import scatter_figure
from jobs.models import JobState

SYSTEMS = ("Alder", "REF-M", "INPUT")

HIDDEN = (CampaignState.IMPORTING, CampaignState.DELETING)
"""States in which a campaign is on no page."""

ROWS = (
    ("1", "Alder", 0.628, 0.59, 0.66, False, True),
    ("2–4", "Birch", 0.566, 0.52, 0.61, False, True),
    ("2–4", "Cedar", 0.561, 0.52, 0.60, False, False),
    ("2–4", "INPUT", 0.539, 0.50, 0.58, True, False),
    ("5", "Hazel", 0.300, 0.26, 0.34, False, True),
)
"""Ranks, system, score with its interval, whether it does not compete, whether a cluster begins."""

NAMING = Naming("Example", {}, {}, {"a": ShownAnnotator("a", 1), "b": ShownAnnotator("b", 2, "Ben")})

PAIR = SystemPair("", "Above", other="", other_label="Below", heading="Neighbours")

KINDS: tuple[tuple[str, Column, tuple[object, ...]], ...] = (
    ("Text", Text("", "Unit"), ("sentence", "pair", "annotator")),
    ("Prose", Prose("", "What it shows"), ("a sentence that may take several lines", "another", "a third")),
    ("Amount", Amount("", "Ranks"), ("1", "2–3", "2–3")),
    ("Code", Code("", "Type"), ("VERB:SVA", "DET", "NOUN:NUM")),
    ("Corrector", Corrector("", "Corrector"), (("Alder", False), ("Rita", True), ("Cedar", False))),
    ("Annotator", Annotator("", "Annotator"), ("a", "b", "a")),
    ("AnnotatorPair", AnnotatorPair("", "Pair", other="with"), (("a", "b"), ("a", "a"), ("b", "b"))),
    ("Annotators", Annotators("", "Judged by"), (("a", "b"), ("a",), ("b",))),
    ("Verdict", Verdict("", "Passed"), (True, False, True)),
    ("Number", Number("", "Difference"), (0.128, -0.034, None)),
    ("Count", Count("", "Judgments"), (2319, 412, 8)),
    ("Share", Share("", "Share"), (0.74, 0.061, 0.5)),
    ("PValue", PValue("", "p"), (0.0002, 0.034, 0.41)),
    ("Bar", Bar("", "Per hour", drawn="Answers per hour", digits=1, longest=80.0), (36.5, 400.0, None)),
    ("SystemPair", PAIR, (("Alder", "Birch"), ("Birch", "Cedar"), ("Cedar", "INPUT"))),
    (
        "Estimated",
        Estimated("", "Pearson’s r", digits=2),
        (Spread(0.7, 0.5, 0.8), Spread(0.4, 0.1, 0.6), Spread(None, None, None, "too few systems")),
    ),
)
"""Kinds of columns, each with three values."""

METRICS = ("M2", "ERRANT", "GLEU", "BLEU", "chrF++", "SARI", "MAX-SARI", "GREEN", "iBLEU", "I-measure")
MORE_METRICS = ("MinLD", "LD source", "Exact match", "Index match", "Grammaticality", "CLEME", "charGLEU")


def tables_of_kinds() -> list[tuple[str, FilledTable]]:
    """A table for each kind of column, with its name."""
    return [
        (
            kind,
            _example(kind, [replace(column, value=itemgetter(1))], [*zip(SYSTEMS, values, strict=True)]),
        )
        for kind, column, values in KINDS
    ]


def _example(caption: str, columns: Sequence[Column], rows: Sequence[object]) -> FilledTable:
    named = (System("", "System", itemgetter(0)), *columns)
    table = Table(rows=lambda computed: rows, columns=named, caption=f"Example: {caption}")
    return table.of(Computed(None, None), NAMING)


def _drawn() -> FilledTable:
    score = Estimated("", "Score", itemgetter(1), drawn="Score, 95 % interval")
    rows = [(name, Spread(value, low, high)) for _, name, value, low, high, _, _ in ROWS]
    return _example("drawn", [score], rows)


def _of_many_columns() -> FilledTable:
    """More columns than have room, most important first."""
    titles = [*METRICS, *MORE_METRICS]
    rows = [
        (
            name,
            *(
                Spread(score + place / 50, low + place / 50, high + place / 50)
                for place in range(len(titles))
            ),
        )
        for _, name, score, low, high, _, _ in ROWS
    ]
    columns = [
        Estimated("", title, itemgetter(place), is_shaded=True) for place, title in enumerate(titles, start=1)
    ]
    return _example("many columns", columns, rows)


@anyone
@require_safe
def example_figure(request: HttpRequest, image: str) -> HttpResponse:
    """A scatter plot in all widths."""
    people = {name: score for _, name, score, *_ in ROWS}
    metric = {name: low for _, name, _, low, *_ in ROWS}
    chart = scatter_figure(
        people,
        metric,
        roles={"INPUT": "source"},
        human_name="ExpectedWins (people)",
        metric_name="GLEU",
        title="Example: GLEU against people",
    )
    return image_of(chart, request, image, signature="example", caption="Systems by GLEU and by people")


@anyone
@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    light, dark = colours("light"), colours("dark")
    of_campaigns = [state for state in CampaignState.values if state not in HIDDEN]
    context = {
        "colours": [(name, light[name], dark[name]) for name in light],
        "states": list(dict.fromkeys([*of_campaigns, *JobState.values, "flagged", "held"])),
        "rows": ROWS,
        "kinds": [(kind, table.page()) for kind, table in tables_of_kinds()],
        "drawn": _drawn().page(),
        "many": _of_many_columns().page(),
        "naming": NAMING,
        "scale": scale_of(end for row in ROWS for end in row[3:5]),
    }
    return render(request, "annotate/web/styleguide.html", context)
