"""Reads of scores, shared by pages, commands and the API."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet
from django.shortcuts import get_object_or_404

from annotate.models import (
    Corpus,
    OutputScore,
    Production,
    ScoreSet,
    ScoreSetState,
    System,
    SystemRole,
    SystemScore,
)
from annotate.scores.corpus_outputs import CorpusOutputs, corpus_outputs
from annotate.scores.stored_rows import load_scored, resamples_of
from core.marks import Scale, scale_of, shade_of
from metrics import METRICS, Scored, in_usual_order
from metrics.base.resampling import FEWEST_SENTENCES, SIGNIFICANT, paired_test

BY_PEOPLE = "people"
"""Sorts systems as people ranked them."""


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """A set of scores as a column of a table.

    Attributes:
        score_set: the set.
        title: heading of the column.
        scale: from the lowest to the highest end of an interval; None without scores.
        order: "ascending" or "descending" if rows are sorted by it, otherwise empty.
        next_sort: query value that sorts by it, or reverses the order if rows are sorted by it.
    """

    score_set: ScoreSet
    title: str
    scale: Scale | None
    order: str
    next_sort: str


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """The score of a system in a set.

    Attributes:
        score: None if the system is not scored.
        is_best: whether no system has a higher score; the source, references and controls do not compete.
        p_value: two-sided, of the paired bootstrap against the system with the highest score; None for that
            system, for references and controls, and where scores in resamples are not stored or of too few
            sentences.
        is_clear: whether it is the highest, and tests tell it apart from all other systems that compete.
        shade: 0 for the lowest score of the systems, 5 for the highest; 0 for what does not compete.
    """

    score: SystemScore | None
    is_best: bool
    p_value: float | None
    is_clear: bool
    shade: int

    @property
    def may_be_best(self) -> bool:
        """Whether the test does not tell the system apart from that with the highest score."""
        return self.p_value is not None and self.p_value > SIGNIFICANT


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A system with its score in each column."""

    system: System
    cells: Sequence[ScoreCell]


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """Systems by metrics.

    Attributes:
        columns: those that most papers report first, then in the order in which they were first scored.
        rows: sorted.
        lacking: number of systems of the corpus that lack a score in a computed column.
        is_untested: whether a computed column was stored before scores in resamples were kept, so its
            systems are not tested until the corpus is scored again.
    """

    columns: Sequence[ScoreColumn]
    rows: Sequence[ScoreRow]
    lacking: int
    is_untested: bool


@dataclass(frozen=True, slots=True)
class ShownScore:
    """The score of an output under one metric; `reason` says why there is none."""

    title: str
    is_uploaded: bool
    score: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class ScoredOutput:
    """A row of the table of sentence scores."""

    position: int
    source: str
    text: str
    systems: Sequence[str]
    score: float | None
    reason: str


def score_sets(corpus: Corpus) -> QuerySet[ScoreSet]:
    """All visible scores of a corpus, the oldest first."""
    return corpus.score_sets.filter(state=ScoreSetState.READY).order_by("pk")


def newest(sets: Iterable[ScoreSet]) -> list[ScoreSet]:
    """The newest set of each name; sets of one name differ in references or version."""
    by_name = {(score_set.name, score_set.is_uploaded): score_set for score_set in sets}
    return list(by_name.values())


def current_sets(corpus: Corpus) -> list[ScoreSet]:
    """The scores of a corpus that pages show: the newest of each name."""
    return newest(score_sets(corpus))


def finished_sets(corpus: Corpus) -> list[ScoreSet]:
    """The scores that analyses read: the newest under each name of those that have scores of systems."""
    return newest(score_sets(corpus).filter(Exists(SystemScore.objects.filter(score_set=OuterRef("pk")))))


def outdated_sets(corpus: Corpus) -> list[ScoreSet]:
    """The scores that pages show and that lack references added since."""
    added = corpus.references_added_at
    return [
        each
        for each in current_sets(corpus)
        if added is not None and each.references_digest and not each.is_uploaded and each.created_at < added
    ]


def up_to_date_sets(corpus: Corpus) -> list[ScoreSet]:
    """The computed scores that pages show and that only lack outputs, if anything."""
    outdated = {each.pk for each in outdated_sets(corpus)}
    return [
        each
        for each in current_sets(corpus)
        if not each.is_uploaded and each.metric in METRICS and each.pk not in outdated
    ]


def score_set_or_404(corpus: Corpus, uuid: UUID) -> ScoreSet:
    """A visible set of scores of the corpus."""
    return get_object_or_404(score_sets(corpus).select_related("owner"), uuid=uuid)


def title_of(score_set: ScoreSet) -> str:
    """Title of the scores: the metric's label with the parameters that differ from their defaults."""
    metric = METRICS.get(score_set.metric)
    if metric is None:
        return score_set.name
    stated = score_set.name.split(":")[1:]
    return f"{metric.label} ({', '.join(stated)})" if stated else metric.label


def score_table(
    corpus: Corpus, sets: Sequence[ScoreSet], *, sort: str = "", ranked: Iterable[str] = ()
) -> ScoreTable:
    """The systems of a corpus with their scores in these sets, in two queries.

    Args:
        corpus: corpus of the systems.
        sets: the columns.
        sort: UUID of the set to sort by, lowest score first, or with a minus highest first; `BY_PEOPLE`
            sorts as in `ranked`, "-system" by name in reverse, anything else by name.
        ranked: names of systems as people ranked them; further systems come after these.
    """
    names = in_usual_order(each.name for each in sets)
    sets = sorted(sets, key=lambda each: names.index(each.name))
    by_set: dict[int, dict[int, SystemScore]] = {score_set.pk: {} for score_set in sets}
    for score in SystemScore.objects.filter(score_set__in=sets):
        by_set[score.score_set_id][score.system_id] = score
    systems = list(corpus.systems.filter(is_whole=True).order_by("name"))
    competing = {system.pk for system in systems if system.role == SystemRole.SYSTEM}
    sources = {system.pk for system in systems if system.role == SystemRole.SOURCE}
    columns = [
        _cells(by_set[each.pk], [system.pk for system in systems], competing, sources) for each in sets
    ]
    rows = [ScoreRow(system, [cells[place] for cells in columns]) for place, system in enumerate(systems)]
    computed = [place for place, score_set in enumerate(sets) if not score_set.is_uploaded]
    of_computed = [[row.cells[place].score for place in computed] for row in rows]
    lacking = sum(None in scores for scores in of_computed)
    is_untested = any(score and score.resamples is None for scores in of_computed for score in scores)
    if sort == BY_PEOPLE:
        order = {name: place for place, name in enumerate(ranked)}
        rows.sort(key=lambda row: order.get(row.system.name, len(order)))
    else:
        rows = _sorted(rows, sets, sort)
    shown = [_column(each, by_set[each.pk].values(), sort) for each in sets]
    return ScoreTable(shown, rows, lacking, is_untested)


def _column(score_set: ScoreSet, scores: Iterable[SystemScore], sort: str) -> ScoreColumn:
    ends = (end for each in scores for end in (each.value, each.low, each.high) if end is not None)
    ascending = str(score_set.uuid)
    order = {ascending: "ascending", f"-{ascending}": "descending"}.get(sort, "")
    next_sort = ascending if order == "descending" else f"-{ascending}"
    return ScoreColumn(score_set, title_of(score_set), scale_of(ends), order, next_sort)


def _cells(
    scores: Mapping[int, SystemScore], systems: Iterable[int], competing: set[int], sources: set[int]
) -> list[ScoreCell]:
    """The cells of a column, one for each of the systems, which are given by key."""
    tested = {
        key: score.value
        for key, score in scores.items()
        if key in competing | sources and score.value is not None
    }
    values = {key: value for key, value in tested.items() if key in competing}
    lowest, highest = min(values.values(), default=0.0), max(values.values(), default=0.0)
    shades = {key: shade_of(value, lowest, highest) for key, value in values.items()}
    best = [key for key, value in values.items() if value == highest]
    p_values = _against(best[0], tested, scores) if best else {}
    of_others = [p for key, p in p_values.items() if key in competing]
    is_told_apart = bool(of_others) and all(p is not None and p <= SIGNIFICANT for p in of_others)
    return [
        ScoreCell(
            scores.get(key),
            is_best=key in best,
            p_value=p_values.get(key),
            is_clear=key in best and is_told_apart,
            shade=shades.get(key, 0),
        )
        for key in systems
    ]


def _against(
    best: int, values: Mapping[int, float], scores: Mapping[int, SystemScore]
) -> dict[int, float | None]:
    """The p-value of the paired bootstrap of each other system with a value against the best one, by key."""
    resamples = {key: resamples_of(scores[key]) for key in values if scores[key].scored >= FEWEST_SENTENCES}
    of_best = resamples.get(best)
    p_values: dict[int, float | None] = {}
    for other in values.keys() - {best}:
        of_other = resamples.get(other)
        if of_best is None or of_other is None:
            p_values[other] = None
        else:
            p_values[other] = paired_test(values[best] - values[other], of_best - of_other).p_value
    return p_values


def _sorted(rows: list[ScoreRow], sets: Sequence[ScoreSet], sort: str) -> list[ScoreRow]:
    wanted = sort.removeprefix("-")
    place = next((n for n, score_set in enumerate(sets) if str(score_set.uuid) == wanted), None)
    if place is None:
        return rows[::-1] if sort == "-system" else rows
    sign = -1 if sort.startswith("-") else 1

    def key(row: ScoreRow) -> tuple[bool, float]:
        score = row.cells[place].score
        value = score.value if score else None
        return value is None, sign * (value or 0)

    return sorted(rows, key=key)


def scored_of(
    score_set: ScoreSet, *, outputs: CorpusOutputs | None = None, systems: Iterable[str] | None = None
) -> Scored:
    """The result of `metrics.score` for a computed set, so that analyses resample without reading texts.

    Args:
        score_set: a computed set.
        outputs: outputs of its corpus, to read several sets.
        systems: names; default: all that have a score in the set.

    Raises:
        UnknownMetricError, ParameterError: this release lacks the metric or a parameter.
    """
    outputs = outputs or corpus_outputs(score_set.corpus)
    stored = set(score_set.system_scores.values_list("system", flat=True))
    there = [name for name, (key, _) in outputs.systems.items() if key in stored]
    wanted = set(there if systems is None else systems)
    return load_scored(score_set, outputs, [name for name in there if name in wanted])


def output_scores(
    score_set: ScoreSet, *, system: str = "", scored_only: bool = False
) -> QuerySet[OutputScore]:
    """The scores of distinct outputs in a set, optionally of one system; unordered."""
    scores = score_set.output_scores.all()
    if score_set.corpus.withdrawn.exists():
        scores = scores.filter(Exists(Production.objects.filter(output=OuterRef("output"))))
    if system:
        scores = scores.filter(output__productions__system__name=system)
    return scores.exclude(score=None) if scored_only else scores


def shown(scores: Iterable[OutputScore]) -> list[ScoredOutput]:
    """Scores with texts and systems, in two queries for any number of scores."""
    rows = {score.output_id: score for score in scores}
    texts = {
        score.output_id: (score.output.sentence.text, score.output.text)
        for score in OutputScore.objects.filter(pk__in=[row.pk for row in rows.values()]).select_related(
            "output__sentence"
        )
    }
    systems = systems_of(rows)
    return [
        ScoredOutput(
            score.position, texts[key][0] or "", texts[key][1] or "", systems[key], score.score, score.reason
        )
        for key, score in rows.items()
    ]


def systems_of(outputs: Iterable[int]) -> dict[int, list[str]]:
    """Names of the systems that produced each output, by its key, in one query."""
    systems: dict[int, list[str]] = defaultdict(list)
    produced = Production.objects.filter(output__in=list(outputs), system__is_whole=True)
    for output, system in produced.order_by("system__name").values_list("output", "system__name"):
        systems[output].append(system)
    return systems


def scores_by_output(corpus: Corpus, positions: Sequence[int]) -> dict[tuple[int, str], list[ShownScore]]:
    """The scores of all outputs of some sentences, by position and digest, in two queries."""
    sets = {score_set.pk: score_set for score_set in current_sets(corpus)}
    scores: dict[tuple[int, str], list[ShownScore]] = defaultdict(list)
    if not sets:
        return scores
    rows = OutputScore.objects.filter(score_set__in=sets, position__in=positions).order_by("score_set", "pk")
    values = rows.values_list("position", "output__digest", "score_set", "score", "reason")
    for position, digest, key, score, reason in values:
        of = sets[key]
        scores[position, digest].append(ShownScore(title_of(of), of.is_uploaded, score, reason))
    return scores
