"""Which metric to report: one that is among the best in every check, or none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics.against_people import (
    RENEWED_AFTER_SECONDS,
    EverySystemAgainstPeople,
    left_out_on_pages,
    resolved_of_systems,
    too_much,
)
from analysis.analyses.metrics.metric_advice_verdicts import (
    CHECKED,
    MetricAdvice,
    checks_of_all,
    has_failed,
    in_order,
    is_tried,
    is_untried,
    outcome_columns,
    verdict_columns,
)
from analysis.analyses.metrics.scored_judgments import StressedMetrics
from analysis.analyses.systems.ranking import RATED, THREADS
from analysis.analyses.systems.ranking_headline import NO_SYSTEMS
from core.names import Naming
from core.parameters import ParameterError
from core.progress import Progress
from core.results import Computed, Section
from core.tables import Table
from core.wording import briefly, counted, listed, literal
from metrics import InputError
from metrics.meta_evaluation import (
    Advice,
    Counted,
    Estimate,
    HumanScore,
    MetricsAndPeople,
    Outcome,
    ResampledScores,
    SystemScores,
    advice,
    estimates,
    judged_anew,
    people,
)
from metrics.meta_evaluation.advice import FEWEST_SYSTEMS, LEAST_AGREEMENT
from metrics.meta_evaluation.comparison import MARGIN, SENTENCE_MARGIN
from ranking import Coefficient, without_systems

MOST_REASONS = 3
"""Undecided checks whose reasons are given; of more, the first is, and the others are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricAdviceParameters(EverySystemAgainstPeople):
    """Parameters of the advice. The help of each describes it."""


def metric_advice(
    inputs: StressedMetrics, parameters: MetricAdviceParameters, progress: Progress
) -> MetricAdvice:
    """Compare the metrics in every check (`metrics.meta_evaluation.advice`).

    Raises:
        ParameterError: judgments and scores have nothing in common.
        SnapshotError: the judgments lack something.
    """
    progress.begin("Preparing")
    human = parameters.human or HumanScore.EXPECTED_WINS
    try:
        data = inputs.compared(tie_width=parameters.tie_width or 0.0)
        resampled = ResampledScores(data, human, whole_set=parameters.whole_set, threads=THREADS)
    except InputError as error:
        raise ParameterError(str(error)) from error
    progress.begin("Resampling sentences", total=parameters.replicates)
    drawn = resampled.draw(range(parameters.replicates), parameters.seed, progress=progress.advance)
    scores = resampled.scores([drawn])
    # Judging the systems that count alone needs memory, and no check looks at single pairs.
    del resampled
    data = replace(data, people=replace(data.people, judged=data.people.judged.only(slice(0))))
    roles = inputs.judgments.roles
    apart = tuple(system for system in data.systems if roles.get(system) in NO_SYSTEMS)
    progress.begin("Comparing metrics")
    alone = None
    if apart and len(data.systems) - len(apart) >= FEWEST_SYSTEMS:
        alone = _counted_alone(inputs, parameters, human, data, apart, scores)
    titles = {metric.name: title_of_metric(metric.name) for metric in data.metrics}
    given: Advice = advice(
        data,
        scores,
        human,
        apart=apart,
        counted_alone=alone,
        stress=inputs.stress,
        titles=titles,
    )
    return MetricAdvice(
        signature=inputs.signature(stated("metric-advice", parameters)),
        left_out=inputs.unmatched,
        apart=apart,
        recommended=given.recommended,
        rejected=dict(given.rejected),
        lines=dict(given.lines),
        reason=given.reason,
        pearson=_correlations(alone or Counted(data, scores), parameters) if given.lines else {},
    )


def _correlations(counted: Counted, parameters: MetricAdviceParameters) -> dict[str, Estimate]:
    """Pearson's r of each metric with people, with its interval."""
    return {
        metric.name: estimates(
            counted.data.systems, counted.scores, place, parameters.confidence, parameters.seed
        )[0][Coefficient.PEARSON]
        for place, metric in enumerate(counted.data.metrics)
    }


def _counted_alone(
    inputs: StressedMetrics,
    parameters: MetricAdviceParameters,
    human: HumanScore,
    data: MetricsAndPeople,
    apart: Sequence[str],
    scores: SystemScores,
) -> Counted:
    """The systems that count, judged without those apart, as in *Metrics against people*."""
    judged = people(
        without_systems(inputs.judged_and_scored, apart),  # Nothing else holds it, so that it can be freed.
        inputs.sentences,
        tie_width=parameters.tie_width or 0.0,
        step=inputs.step,
    )
    places = [data.systems.index(system) for system in judged.systems]
    alone = MetricsAndPeople(judged, tuple(metric.in_order(places) for metric in data.metrics), data.domains)
    return Counted(
        alone,
        judged_anew(
            scores,
            data.systems,
            alone,
            human,
            whole_set=parameters.whole_set,
            replicates=parameters.replicates,
            seed=parameters.seed,
            threads=THREADS,
        ),
    )


def headline(computed: Computed, naming: Naming) -> str:
    """The metrics to report, or how many are undecided and how many fail."""
    return verdict_in_words(computed.result)


def verdict_in_words(result: MetricAdvice) -> str:
    """Which metrics passed every check, or why none did."""
    if not result.lines and result.reason:
        return f"No metric is recommended: {result.reason}"
    if not result.recommended:
        undecided = [metric for metric, lines in result.lines.items() if not has_failed(lines)]
        failed = len(result.lines) - len(undecided)
        if not undecided:
            return f"None of {counted(failed, 'metric')} passes every check: each fails at least one"
        those = briefly([title_of_metric(metric) for metric in undecided], "is", "are")
        others = f", and {counted(failed, 'other')} {'fails' if failed == 1 else 'fail'}" if failed else ""
        return f"No metric passes every check: {those} undecided{others}"
    names = [title_of_metric(name) for name in result.recommended]
    said = briefly(names, "passes every check", "pass every check")
    if any(is_untried(result.lines.get(metric, ())) for metric in result.recommended):
        return f"{said} but stress, which was not tried"
    return f"{said}: it is the metric to report" if len(names) == 1 else said


def lead(computed: Computed, naming: Naming) -> str:
    """When a metric passes, and which systems count."""
    result: MetricAdvice = computed.result
    said = (
        "A metric passes a check if, with 95 % confidence, no contender is ahead of it by more than "
        f"{MARGIN:g} in Pearson’s r with people (by sentence: {SENTENCE_MARGIN:g} in "
        r"[acc\*eq](/glossary/#acceq), accuracy in which a metric may tie). It fails if any metric is ahead "
        "by more than that, and clearly so. Contenders are all metrics but those clearly behind by sentence "
        "and those with a large fault, even if only perhaps, under stress. Report one that passes every "
        f"check.{_closest(result)}"
    )
    if result.apart:
        apart = listed([literal(naming.label(system)) for system in result.apart], "is", "are")
        said += f" {apart} among all systems, and in no other check."
    return f"{said}{left_out_on_pages(computed, naming)}"


def _closest(result: MetricAdvice) -> str:
    """The undecided metrics that pass most checks, with what to say if one is reported; empty without any."""
    passed = {
        metric: sum(line.outcome is Outcome.PASSED for line in lines)
        for metric, lines in result.lines.items()
        if not has_failed(lines)
    }
    if result.recommended or not passed:
        return ""
    most = max(passed.values())
    closest = [metric for metric, number in passed.items() if number == most]
    checks = sum(line.outcome is not Outcome.UNCHECKED for line in result.lines[closest[0]])
    names = briefly([literal(title_of_metric(metric)) for metric in closest], "passes", "pass")
    said = f" Closest: {names} {most} of {counted(checks, 'check')}."
    if len(closest) > 1:
        return said
    lines = result.lines[closest[0]]
    undecided = [literal(line.reason) for line in lines if line.outcome is Outcome.UNDECIDED]
    if len(undecided) > MOST_REASONS:
        undecided = [undecided[0], f"{len(undecided) - 1} more checks are undecided."]
    return f"{said} If you report it, add what is undecided: {' '.join(undecided)}"


def about_verdicts(computed: Computed, naming: Naming) -> str:
    """What the marks and the checks are."""
    said = (
        "✓ passed, ✗ failed, ? undecided; framed: the check that decides. *Each system left out*: one after "
        "the other. *Ends left out*: without outlying systems, the best ones, the worst ones, or both."
    )
    if is_tried(computed.result):
        said += (
            " *Under stress*: passed if a person’s corrections score above unchanged and over-edited text, "
            "and other degenerate outputs, such as empty ones, hardly above unchanged text; –: not tried."
        )
    if computed.result.apart:
        said += " *r*: without source and references."
    return said


ABOUT_OUTCOMES = rf"""
- *passed*: with the ends left out, where r is uncertain, it suffices not to fail
- *failed*: another metric is ahead, with 95 % confidence, and by more than the margin by the estimate; or r
  is below {LEAST_AGREEMENT:g}; or the metric has a large fault under stress
- *undecided*: neither is certain

Bold: the check that decides. Below each outcome are r (by sentence, acc\*eq) and the rank among all metrics.
Where systems are left out, r is without those that give the worst outcome and, of these, the worst rank. By
how much a metric is ahead is corrected for the errors of scores, so it may differ from the difference of r.
"""

EXPLANATION = r"""
Each check compares all metrics on a set of systems, by Pearson's r with people, or on the outputs of each
sentence, by acc\*eq, with bootstrap errors of the differences. A metric passes if it is shown to fall short
of no contender by more than the margin, fails if it is shown to fall short of any metric, and is undecided
otherwise; without the ends of the ranking, where r is uncertain, it passes unless it fails, and only
contenders count. The checks: all systems; those that count; each system left out in turn; outlying systems
and the ends of the ranking left out; by sentence; and under stress, where that was tried.

Under stress, a metric passes if it scores a person's corrections above no change, over-edited corrections
below these, and no other degenerate output a tenth of the way up from no change to these, or more. It fails
with a large fault, is undecided with *perhaps* a large fault, and passes with small ones, which change no
winner; *Metrics under stress* shows them all.

Confidence is of each comparison with another metric. To pass, a metric has to hold against all contenders,
which needs no correction for their number; to fail, one suffices, so with many metrics some fail by chance.
*Metrics against people* corrects its tests for all pairs, so fewer may be clearly below the highest r.
"""

METRIC_ADVICE = register(
    Analysis(
        name="metric-advice",
        title="Which metric to report",
        group=Group.METRICS,
        question="Which metric should I report?",
        defined_in="metrics-against-people.md#which-metric-to-report",
        help="Checks of each metric with systems left out, by sentence and under stress.",
        parameters=MetricAdviceParameters,
        result=MetricAdvice,
        inputs=StressedMetrics,
        columns=RATED,
        compute=metric_advice,
        tables={
            "verdicts": Table(
                rows=in_order,
                columns=verdict_columns,
                caption="Checks of each metric",
                in_files=False,
                note=about_verdicts,
            ),
            "outcomes": Table(
                rows=in_order,
                columns=outcome_columns,
                caption="Outcome of each check in numbers, and why a metric does not pass",
                in_files=False,
                note=ABOUT_OUTCOMES,
            ),
            "checks": Table(rows=checks_of_all, columns=CHECKED, caption="All checks of all metrics"),
        },
        headline=headline,
        lead=lead,
        sections=(Section(title="Why not, and numbers of each check", tables=("outcomes",), is_folded=True),),
        explanation=EXPLANATION,
        template="analysis/metric_advice.html",
        fields=("human", "exclude_systems", "domain", "excluded"),
        resolve=resolved_of_systems,
        too_much=too_much,
        tabs="metrics",
        tab="Agreement",
        label="Which to report",
        place=5,
        at_once=False,
        renewed_after=RENEWED_AFTER_SECONDS,
    )
)
