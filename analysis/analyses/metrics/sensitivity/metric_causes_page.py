"""What pages say and draw of why a metric disagrees."""

from dataclasses import replace
from functools import partial
from operator import attrgetter

from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics.against_people import (
    CORRELATIONS,
    human_scores_of_systems,
    left_out_on_pages,
)
from core.columns import (
    Column,
    Count,
    Estimated,
    Identifiers,
    Number,
    PValue,
    System,
    Text,
)
from core.names import Naming
from core.results import Computed, Layout
from core.tables import Table
from core.wording import counted, listed, literal, percent, some_of
from figures.drawing import Chart
from figures.metrics.metric_causes import DrawnChange, causes_figure
from metrics.base.resampling import SIGNIFICANT
from metrics.meta_evaluation import (
    Cause,
    Causes,
    Estimate,
    Variant,
)
from ranking import Coefficient

TITLES = {
    Cause.MEASURED: "As measured",
    Cause.PEOPLE: "People measured exactly",
    Cause.METRIC: "Metric measured exactly",
    Cause.BOTH: "Both measured exactly",
    Cause.SPREAD: "Systems spread as stated",
    Cause.BETTER: "Better systems only",
    Cause.WORSE: "Worse systems only",
    Cause.ONE_LEFT_OUT: "Without one system",
    Cause.SOURCE: "With the source",
    Cause.REFERENCES: "With references",
    Cause.TIES: "Ties as half a win",
    Cause.NATURAL: "On natural text",
}
MOST_NAMED = 3
"""Changes that the heading names."""


class Change(Column):
    """A change in words, with the system that is left out or added."""

    def text(self, value: Variant, naming: Naming) -> str:
        """The change."""
        return title_of(value, naming)


def title_of(variant: Variant, naming: Naming) -> str:
    """What is changed, as the heading of a row."""
    if variant.cause is Cause.ONE_LEFT_OUT and variant.named:
        return f"Without {naming.label(variant.named[0])}"
    return TITLES[variant.cause]


def _correlation(coefficient: Coefficient, variant: Variant) -> float | None:
    return variant.correlations[coefficient]


def _difference(coefficient: Coefficient, variant: Variant) -> Estimate | None:
    """The difference; nothing where nothing is changed, and only one reason why there is none."""
    estimate = variant.differences[coefficient]
    if variant.cause is Cause.MEASURED and variant.reason is None:
        return None
    return estimate if estimate.value is not None or coefficient is Coefficient.PEARSON else None


def _of_coefficient(coefficient: Coefficient) -> tuple[Column, Column]:
    name, symbol = coefficient.value, CORRELATIONS[coefficient.value]
    return (
        Number(name, name.capitalize(), partial(_correlation, coefficient), heading=symbol),
        Estimated(
            f"{name}_difference",
            "Difference",
            partial(_difference, coefficient),
            heading=f"Difference of {symbol.split()[-1]}",
            ends_on_paper=("low", "high"),
        ),
    )


def _on_page() -> tuple[Column, ...]:
    """The difference of r, drawn, with r and p."""
    return (
        Estimated(
            "",
            "Difference",
            partial(_difference, Coefficient.PEARSON),
            digits=3,
            drawn="Difference of r",
            is_hollow=lambda variant: not variant.is_clear,
            on_paper=False,
            is_aside=True,
        ),
        Number("", "r", partial(_correlation, Coefficient.PEARSON), digits=3, on_paper=False),
        PValue("", "p", attrgetter("p_value"), heading="Corrected p", on_paper=False),
    )


def _in_files() -> tuple[Column, ...]:
    """Both correlations with their differences."""
    r, difference = _of_coefficient(Coefficient.PEARSON)
    p = PValue("p", "p", attrgetter("p_value"))
    every = (r, difference, p, *_of_coefficient(Coefficient.SPEARMAN))
    return tuple(replace(column, on_page=False) for column in every)


CAUSES = Table(
    rows=lambda computed: computed.result.causes.variants,
    page_rows=lambda computed: [
        each
        for each in computed.result.causes.variants
        if each.reason is None and each.cause is not Cause.MEASURED
    ],
    columns=(
        Change("", "Change", lambda variant: variant),
        Text("cause", value=attrgetter("cause")),
        Identifiers("named", value=attrgetter("named")),
        Count("systems", value=attrgetter("systems")),
        *_on_page(),
        *_in_files(),
        Count("", "Systems", attrgetter("systems"), on_page=False),
        Text("reason", value=attrgetter("reason")),
    ),
    caption="Correlation with each change",
    note=lambda computed, naming: "\n\n".join(
        filter(None, [how_to_read(computed), halves(computed, naming), impossible(computed)])
    ),
)
LEFT_OUT = Table(
    rows=lambda computed: computed.result.causes.left_out,
    columns=(
        System("without", "Without", lambda variant: variant.named[0]),
        *_on_page(),
        *_in_files(),
    ),
    caption="Correlation without each system",
)


def how_to_read(computed: Computed) -> str:
    """What dots, lines and p-values are; empty without replicates."""
    if not computed.parameters.replicates:
        return ""
    found: Causes = computed.result.causes
    tested = [each for each in found.variants if each.cause is not Cause.ONE_LEFT_OUT] + [*found.left_out]
    tests = counted(sum(each.p_value is not None for each in tested), "test")
    each_left_out = ", *Each system left out* included" if found.left_out else ""
    confidence = percent(computed.parameters.confidence)
    return (
        f"Filled: the difference is clear, p ≤ {SIGNIFICANT} after correction for {tests} "
        f"(Holm{each_left_out}). Lines: {confidence} intervals by the same method, but of each difference "
        "alone, before the correction. Without p: computed from r, so there is nothing to test."
    )


def halves(computed: Computed, naming: Naming) -> str:
    """The systems of both halves; empty without halves."""
    said = [
        f"*{TITLES[each.cause]}*: {listed([literal(naming.label(system)) for system in each.named])}"
        for each in computed.result.causes.variants
        if each.cause in (Cause.BETTER, Cause.WORSE) and each.reason is None
    ]
    return f"{'. '.join(said)}." if said else ""


def impossible(computed: Computed) -> str:
    """The changes that cannot be made here, with the reasons; empty if all can."""
    by_reason: dict[str, list[str]] = {}
    for variant in computed.result.causes.variants:
        if variant.reason is not None:
            by_reason.setdefault(variant.reason, []).append(f"*{TITLES[variant.cause]}*")
    said = [f"{listed(titles)} ({literal(reason)})" for reason, titles in by_reason.items()]
    return f"Not possible here: {'; '.join(said)}." if said else ""


def in_a_sentence(variant: Variant, naming: Naming) -> str:
    """The change, after r with it."""
    if variant.cause is Cause.ONE_LEFT_OUT:
        return f"without {naming.label(variant.named[0])}"
    return {
        Cause.BETTER: f"among the {variant.systems} best systems",
        Cause.WORSE: f"among the {variant.systems} worst systems",
        Cause.SOURCE: "with the source as a system",
        Cause.REFERENCES: "with references as systems",
        Cause.TIES: "if ties count as half a win",
        Cause.NATURAL: "on text as people write it",
    }[variant.cause]


def headline(computed: Computed, naming: Naming) -> str:
    """The changes that clearly move r, and to where; those of the largest differences first."""
    found: Causes = computed.result.causes
    name, r = title_of_metric(found.metric), found.variants[0].correlations[Coefficient.PEARSON]
    if r is None:
        return f"{name} cannot be correlated with people"
    clear = sorted((each for each in found.variants if each.is_clear), key=_size, reverse=True)
    tested = sum(each.p_value is not None for each in found.variants)
    said = f"{name}’s r of {r:.2f} with people"
    if not tested:
        return f"{said} is not tested"
    if len(clear) == 1:
        [only] = clear
        moved = only.correlations[Coefficient.PEARSON] or 0.0
        moves = f"clearly {'rises' if moved > r else 'falls'} from {r:.2f} to {moved:.2f}"
        others = "; no other tested change clearly moves it" if tested > 1 else ""
        return f"{name}’s r with people {moves} {in_a_sentence(only, naming)}{others}"
    moves = some_of(len(clear), tested, "change", does="clearly moves", do="clearly move")
    said = f"{moves[:1].upper()}{moves[1:]} {said}"
    if not clear:
        return said
    named = [
        f"to {each.correlations[Coefficient.PEARSON]:.2f} {in_a_sentence(each, naming)}"
        for each in clear[:MOST_NAMED]
    ]
    return f"{said}: {'among others ' if len(clear) > len(named) else ''}{listed(named)}"


def _size(variant: Variant) -> float:
    return abs(variant.differences[Coefficient.PEARSON].value or 0.0)


def lead(computed: Computed, naming: Naming) -> str:
    """What is compared."""
    result = computed.result
    r = result.causes.variants[0].correlations[Coefficient.PEARSON]
    measured = "" if r is None else f", where r is {r:.2f}"
    return (
        f"One thing is changed at a time; everything else stays as measured on "
        f"{counted(len(result.systems), 'system')} and {counted(result.compared_sentences, 'sentence')}"
        f"{measured}.{left_out_on_pages(computed, naming)}"
    )


def about_scores(computed: Computed) -> str:
    """How reliable and how far apart the scores are."""
    found: Causes = computed.result.causes
    said = f"People’s scores are {human_scores_of_systems(computed.result.human)}."
    reliabilities = [
        f"{whose} {value:.2f}"
        for whose, value in (
            ("people’s scores", found.people_reliability),
            ("the metric’s", found.metric_reliability),
        )
        if value is not None
    ]
    if reliabilities:
        said += (
            f" Reliability of {listed(reliabilities)}: *measured exactly* is r without the errors that "
            "are left, computed from r, so there is nothing to test; the other rows are new correlations."
        )
    if found.spread is not None:
        said += f" Human scores of systems have a standard deviation of {found.spread:.3g}."
    return said


def ties_in_words(computed: Computed, naming: Naming) -> str:
    """What people's ties do by sentence."""
    found: Causes = computed.result.causes
    ties, name = found.ties, literal(title_of_metric(found.metric))
    if ties.dropped is None or ties.half is None:
        return f"{name}: {ties.reason}."
    said = (
        f"People tie {percent(round(ties.ties / ties.pairs, 3))} of {ties.pairs:,} judged pairs of outputs. "
        f"{name} orders {percent(round(ties.dropped, 3))} of the others as people do. If each tie of people "
        f"counts as half right, it is {percent(round(ties.half, 3))} of all"
    )
    if ties.difference.low is None or ties.difference.high is None:
        return f"{said}."
    low, high = (100 * end for end in (ties.difference.low, ties.difference.high))
    chance = ", so it may be chance" if low <= 0 <= high else ""
    return f"{said} (interval of the difference: {low:+.1f} to {high:+.1f} points{chance})."


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Pearson's r with each change."""
    result = computed.result
    measured, *changed = result.causes.variants
    r = measured.correlations[Coefficient.PEARSON]
    assert r is not None  # noqa: S101  # the figure has content
    title = f"{naming.title}: {title_of_metric(result.causes.metric)} and people"
    drawn = [
        DrawnChange(title_of(each, naming), value, each.differences[Coefficient.PEARSON], each.is_clear)
        for each in changed
        if (value := each.correlations[Coefficient.PEARSON]) is not None
    ]
    return causes_figure(drawn, measured=r, title=title, is_narrow=layout == "narrow")


def has_changes(computed: Computed) -> bool:
    """Whether there is r as measured, and with a change."""
    measured, *changed = computed.result.causes.variants
    return measured.reason is None and any(each.reason is None for each in changed)


def explanation(computed: Computed) -> str:
    """How each change is made, and how reliable the scores are."""
    return f"{EXPLANATION}\n{about_scores(computed)}"


EXPLANATION = """
**Errors.** Observed scores of systems err, so they correlate less than true ones (Spearman 1904): r is
divided by the root of the reliability of people's scores, of the metric's, and of both. People's scores of
random halves of the sentences are correlated and stepped up to all sentences (Spearman and Brown); the
metric's reliability is the share of the variance among systems that resampled sentences do not explain.
**Range.** Systems of similar quality correlate less: the better and the worse half, each system left out in
turn, and, for a stated standard deviation of human scores, Thorndike's correction (case 2). **Source,
references.** They count as systems. **Ties.** A tie of people counts as half a win for either side instead of
nothing. **Natural text.** Sources, references and outputs are written as people write them and split at
blanks. Intervals of differences take reliabilities as known. The row *without* a system is that of the one
whose absence moves r most, the largest of several differences, so its interval flatters it; p does not,
because it is corrected for all systems. Intervals and p are those of a normal distribution with the standard
deviation of the differences in the resamples, a little widened, as between metrics in *Metrics against
people*.
"""
