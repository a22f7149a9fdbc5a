"""What pages say and draw of metrics against people."""

from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics.against_people import human_scores_of_systems, left_out_on_pages
from analysis.analyses.metrics.leading_metrics import clearly_above, not_separated
from analysis.analyses.metrics.metric_parts import (
    BOOTSTRAP,
    HOW_TO_READ,
    TITLES,
    about_mark,
    agreement_of_metrics,
    systems_by_metric,
)
from analysis.analyses.metrics.metrics_people_result import (
    MetricsAgainstPeople,
    by_sentences,
    unscored_pairs,
)
from analysis.analyses.metrics.metrics_people_tables import TESTS, about_order, r_of
from analysis.analyses.systems.ranking_headline import NO_SYSTEMS
from core.names import Naming
from core.results import Computed, Section
from core.wording import counted, listed, literal
from metrics.base.resampling import SIGNIFICANT
from metrics.meta_evaluation import first_place

MOST_OVERTURNING = 3
"""Systems without which another metric is first that a heading names."""


def headline(computed: Computed, naming: Naming) -> str:
    """The result in a sentence: the metric of the highest r, and how many are clearly below."""
    result: MetricsAgainstPeople = computed.result
    tests = result.tests[BOOTSTRAP]
    r = r_of(result)
    if len(tests.metrics) < 2:
        [name, *others] = result.metrics
        if others or r[name] is None:
            return "These judgments do not say which metric agrees best with people"
        return f"{title_of_metric(name)} correlates with people at r = {r[name]:.2f}"
    highest, *others = not_separated(r, tests)
    best = title_of_metric(highest)
    if not others:
        return f"{best} agrees best with people{_while(result, highest, naming)}"
    if len(others) == len(tests.metrics) - 1:
        return "No metric agrees significantly better with people than another one"
    return f"{best} has the highest r with people ({r[highest]:.2f}), {clearly_above(others, tests.metrics)}"


def _while(result: MetricsAgainstPeople, metric: str, naming: Naming) -> str:
    """The systems that a metric's first place depends on, as the end of a sentence; empty if no few do."""
    apart = [system for system in result.systems if naming.roles.get(system) in NO_SYSTEMS]
    first = first_place(result.systems, {name: each.scores for name, each in result.metrics.items()}, [apart])
    if first is None or first.metric != metric or not first.overturned:
        return ""
    overturned = {
        tuple(map(naming.label, systems)): title_of_metric(name) for systems, name in first.overturned.items()
    }
    if len(overturned) == 1:
        [(systems, other)] = overturned.items()
        counts, them = ("counts", "it") if len(systems) == 1 else ("count", "them")
        return f", but only while {listed(systems)} {counts}: without {them}, {other} does"
    named = [listed(systems) for systems in overturned][:MOST_OVERTURNING]
    more = "others" if len(overturned) > len(named) else named.pop()
    return f", but another metric does without {', '.join(named)} or {more}"


def lead(computed: Computed, naming: Naming) -> str:
    """Which metrics, systems and sentences are compared."""
    result: MetricsAgainstPeople = computed.result
    judged, compared = result.judged_sentences, result.compared_sentences
    sentences = (
        f"the {counted(judged, 'judged sentence')}"
        if judged == compared
        else f"{counted(compared, 'sentence')}, {judged:,} of them judged"
    )
    return (
        f"{counted(len(result.metrics), 'metric')} against {human_scores_of_systems(result.human)} of "
        f"{counted(len(result.systems), 'system')}, on {sentences}.{left_out_on_pages(computed, naming)}"
        f"{about_mark(r_of(result), result.tests[BOOTSTRAP])}"
    )


def about_sentences(computed: Computed, naming: Naming) -> str:
    """The outputs that are compared by sentences, and those left out."""
    result: MetricsAgainstPeople = computed.result
    said = (
        "Tau counts the pairs of outputs that people ordered, ties of the metric being wrong (WMT10); tau-b "
        "counts ties of either side. acc\\*eq is pairwise accuracy with tie calibration (Deutsch et al. "
        "2023)."
    )
    if result.ceiling.sentences.tau.value is not None:
        said += (
            " Annotators tie outputs more often than most metrics, and tau and accuracy count their ties as "
            "wrong too: tau-b compares one annotator with metrics more evenly."
        )
    if left_out := unscored_pairs(result):
        names = [title_of_metric(name) for name, metric in by_sentences(result) if metric.sentences.unscored]
        do = "does" if len(names) == 1 else "do"
        said += (
            f"\n\n{left_out:,} of {result.judged_pairs:,} judged pairs of outputs are left out for all "
            f"metrics, because {', '.join(map(literal, names))} {do} not score them."
        )
    return said


FIGURES = {
    "agreement": agreement_of_metrics(
        lambda computed: f"Agreement of metrics with {human_scores_of_systems(computed.result.human)}",
        lambda computed: human_scores_of_systems(computed.result.human),
        of_table="systems",
    ),
    "metric": systems_by_metric("Systems", "Hollow: the source and references."),
    **{f"test-{name}": tests.figure(of_table=name) for name, tests in TESTS.items()},
}

SECTIONS = [
    Section(title="All coefficients", tables=["coefficients"], is_folded=True),
    Section(
        title="By sentences",
        text=about_sentences,
        tables=["sentences", "annotators", "domains"],
        is_folded=True,
    ),
    Section(
        title="Tests between metrics",
        text="The chance of so large a difference between two metrics if they agreed equally well with "
        f"people: {HOW_TO_READ} The first table, *{TITLES[BOOTSTRAP]}* (bootstrap over sentences), decides "
        "which metrics are *clearly below* the highest. The others are for comparison; "
        "[PERM-BOTH](/glossary/#perm-both) of [SPA](/glossary/#spa), soft pairwise accuracy, makes the "
        "clusters.",
        tables=[BOOTSTRAP, *(name for name in TESTS if name != BOOTSTRAP)],
        is_folded=True,
    ),
    Section(title="Systems by metric and people", figures=["metric"], is_folded=True),
    Section(title="Signatures of the scores", tables=["signatures"], is_folded=True),
]


def explanation(computed: Computed) -> str:
    """How it is computed, and why a metric of low r may not be marked."""
    result: MetricsAgainstPeople = computed.result
    return "\n\n".join(filter(None, [EXPLANATION, about_order(result)]))


EXPLANATION = f"""
Each metric scores the same systems that people judged, on the sentences that they judged or, if this is
asked for, on all. Errors of both scores, which resampled sentences show, weaken the agreement that is
observed, so an interval may lie mostly beyond the value. Where errors are more than half of the differences
between systems, there is none. Intervals of ρ, τ and accuracy are wider in proportion, and still less sure
than those of r where several systems are almost equal, because their order decides. SPA is soft pairwise
accuracy (Thompson et al. 2024): for each pair of systems it compares how sure people and the metric are
that one is better. Accuracy is the share of pairs of systems that the metric orders as people do. A metric
that does not score a sentence, for example because it has no reference, is compared on the others, and two
metrics are tested on the sentences that both score. Higher scores of a metric have to mean better outputs.
Metrics are clearly below the one of the highest r if the test of Pearson’s r below, after Holm’s correction,
separates them; it takes the errors of people’s judgments into account. Clusters are of SPA: from the best
metric down, a new one begins with each metric that some metric of the current cluster beats by PERM-BOTH at
p ≤ {SIGNIFICANT}, not corrected (Freitag et al. 2024). PERM-BOTH takes people’s judgments as they are, so it
separates more metrics; yet two metrics of different clusters need not differ significantly from each other.
"""
