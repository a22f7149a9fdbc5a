"""Headings of results about metrics: under stress, learned, and why they disagree with people."""

from collections.abc import Mapping
from types import SimpleNamespace as Made
from typing import Any

import pytest

from analysis.analyses.metrics.learned.learned_mterater import _tests_in_words
from analysis.analyses.metrics.stress import Verdict, verdict_on
from metrics.meta_evaluation import Cause, Estimate
from metrics.meta_evaluation.stress import PERSON, Degenerate, Finding, Rule, StressCard
from ranking import Coefficient
from tests.analysis.headlines.headings import MANY, Headings, for_each, heading


def stressed(passing: int, total: int, unsure: int = 0) -> Made:
    """The first metrics pass clearly, the next perhaps by chance; the others give no scores."""
    passed = {PERSON: 1.0, **dict.fromkeys(map(str, Degenerate), 0.0), Degenerate.UNCHANGED: 0.5}
    sure, perhaps = (
        {PERSON: Estimate(0.5, low, 0.6, None), Degenerate.EMPTY: Estimate(-0.5, -0.6, -0.4, None)}
        for low in (0.4, -0.1)
    )
    clear, by_chance = (StressCard(passed, (), differences) for differences in (sure, perhaps))
    failed = StressCard(dict.fromkeys([PERSON, *Degenerate]), ())
    cards = [clear] * passing + [by_chance] * unsure + [failed] * (total - passing - unsure)
    return Made(metrics=[Made(label=name, card=card) for name, card in zip(MANY, cards, strict=False)])


def chains(*ends: tuple[float, float], low: float | None = None, circular: bool = False) -> Made:
    """Metrics with ρ and the upper end of its interval; all intervals begin at `low`."""
    return Made(
        circular=circular,
        metrics={
            name: Made(spearman=Made(value=value, low=low, high=high))
            for name, (value, high) in zip(MANY, ends, strict=False)
        },
    )


def steps(*down: int, total: int = 12) -> Made:
    metrics = {name: (total - number, number, 0) for name, number in zip(MANY, down, strict=False)}
    return Made(sentence=10, metrics=metrics, steps=range(total))


def learned(ours: float | None, theirs: float | None, *ahead: int) -> Made:
    """Both on held-out sentences; in each domain the splits in which the learned one is ahead."""
    domains = [str(place) for place in range(len(ahead))] or [""]

    def row(metric: str, mean: float | None, domain: str, ahead: int | None = None) -> Made:
        return Made(metric=metric, domain=domain, pearson=Made(mean=mean), ahead=ahead)

    held_out = [
        each
        for place, domain in enumerate(domains)
        for each in (
            row("GMEG-Metric", ours, domain),
            row("gleu", theirs, domain, ahead[place] if ahead else None),
        )
    ]
    if len(domains) > 1:
        held_out += [row("GMEG-Metric", ours, "mean"), row("gleu", theirs, "mean")]
    return Made(held_out=held_out)


PARAMETERS = {"learned-gmeg": Made(splits=10)}


def swept(best: float | None, *p_values: float | None) -> Made:
    """GLEU, scored with n = 0.5: the value with the best ρ and r, and the p-values of their leads."""
    coefficients = Coefficient.SPEARMAN, Coefficient.PEARSON
    bests = {
        each: Made(value=best, p_value=p, correlation=Made(value=0.7))
        for each, p in zip(coefficients, p_values or (None, None), strict=True)
    }
    at_default = dict.fromkeys(coefficients, Made(value=0.7 if best == 0.5 else 0.6))
    return Made(sweep=Made(metric="gleu", parameter="n", default=0.5, best=bests, at_default=at_default))


def changed(r: float | None, *changes: tuple[Cause, float], clear: int = 4) -> Made:
    """A metric's r, and r with changes, of which the first are clear."""
    measured = Made(cause=Cause.MEASURED, correlations={Coefficient.PEARSON: r}, is_clear=False, p_value=None)
    variants = [
        Made(
            cause=cause,
            named=("A",),
            systems=6,
            correlations={Coefficient.PEARSON: value},
            differences={Coefficient.PEARSON: Made(value=value - (r or 0))},
            is_clear=place < clear,
            p_value=0.01,
        )
        for place, (cause, value) in enumerate(changes)
    ]
    return Made(causes=Made(metric="gleu", variants=[measured, *variants]))


def ordering(taus: Mapping[str, float], p: float = 1.0, others: int = 0) -> Made:
    """Learned metrics have groups of features; so many other comparisons were tested."""
    return Made(
        taus=[
            Made(metric=name, groups=() if name == "gleu" else ("length",), pairs=Made(value=tau))
            for name, tau in taus.items()
        ],
        comparisons=[
            Made(first="MTeRater", second="gleu", clustered_p_value=p),
            *[Made(first="a", second="b", clustered_p_value=0.9)] * others,
        ],
    )


def test_the_comparisons_corrected_together_are_named() -> None:
    result: Any = ordering({"gleu": 0.4, "MTeRater": 0.45}, others=2)
    assert _tests_in_words(result) == "3 comparisons of 3 models and GLEU with each other"


HEADINGS: Headings = (
    ("stress", stressed(0, 0), "No metric could be tried"),
    ("stress", stressed(0, 1), "S1 does not withstand every kind of degenerate output"),
    ("stress", stressed(0, 1, unsure=1), "S1 perhaps withstands every kind of degenerate output"),
    ("stress", stressed(1, 1), "S1 clearly withstands every kind of degenerate output"),
    ("stress", stressed(0, 2), "Neither metric clearly withstands every kind of degenerate output"),
    ("stress", stressed(2, 2), "Both metrics clearly withstand every kind of degenerate output"),
    (
        "stress",
        stressed(1, 3, unsure=1),
        "Of 3 metrics, only S1 clearly withstands every kind of degenerate output",
    ),
    ("stress", stressed(0, 15), "None of 15 metrics clearly withstands every kind of degenerate output"),
    (
        "stress",
        stressed(13, 15),
        "Of 15 metrics, only S1, S2 and 11 others clearly withstand every kind of degenerate output",
    ),
    ("maege", chains(), "No metric orders the corpora"),
    ("maege", chains((0.92, 1.0)), "S1 has ρ = 0.92 with the order of corrections"),
    (
        "maege",
        chains((0.92, 0.92), (0.7, 0.7), (0.92, 0.92)),
        "S1 and S3 have the highest ρ with the order of corrections (0.92), in a single draw",
    ),
    (
        "maege",
        chains((0.92, 1.0), (0.7, 0.8), low=0.9),
        "S1 has the highest ρ with the order of corrections (0.92), clearly above all others",
    ),
    (
        "maege",
        chains((0.92, 1.0), (0.9, 1.0), circular=True),
        "Neither metric clearly scores corpora lower the more they are corrected",
    ),
    (
        "maege",
        chains((0.92, 1.0), (0.9, 1.0), (-0.5, -0.1), low=-0.9, circular=True),
        "Of 3 metrics, only S3 scores corpora lower the more they are corrected (ρ -0.50, -0.90 to -0.10)",
    ),
    (
        "maege",
        chains((0.92, 1.0), *[(-0.5, -0.1)] * 14, circular=True),
        "Of 15 metrics, only S2, S3 and 12 others score corpora lower the more they are corrected",
    ),
    (
        "maege",
        chains((0.98, 1.0), (0.97, 1.0), (0.995, 1.0), (0.91, 0.95), low=0.96),
        "S3 has the highest ρ with the order of corrections (0.99), clearly above 1 of the other 3 metrics",
    ),
    (
        "maege",
        chains((0.92, 1.0), (-0.5, -0.1)),
        "S1 has the highest ρ with the order of corrections (0.92), in a single draw; S2 prefers corpora "
        "with fewer corrections",
    ),
    (
        "maege",
        chains((0.92, 1.0), *[(-0.5, -0.1)] * 14),
        "S1 has the highest ρ with the order of corrections (0.92), in a single draw; S2, S3 and 12 others "
        "prefer corpora with fewer corrections",
    ),
    ("lattice", steps(0, 0), "In sentence 10, both metrics rise on each of 12 steps to a better text"),
    (
        "lattice",
        steps(3, 0, 1),
        "In sentence 10, 1 of 3 metrics rises on each of 12 steps to a better text; S1 goes down on 3",
    ),
    (
        "lattice",
        steps(1, 1, total=1),
        "In sentence 10, neither metric rises on each of 1 step to a better text; S1 and S2 go down on all",
    ),
    ("metric-causes", changed(None), "GLEU cannot be correlated with people"),
    ("metric-causes", changed(0.3), "GLEU’s r of 0.30 with people is not tested"),
    (
        "metric-causes",
        changed(0.3, (Cause.TIES, 0.35), (Cause.BETTER, 0.1)),
        "Both changes clearly move GLEU’s r of 0.30 with people: to 0.10 among the 6 best systems and to "
        "0.35 if ties count as half a win",
    ),
    (
        "metric-causes",
        changed(0.3, (Cause.TIES, 0.35), (Cause.BETTER, 0.1), (Cause.SOURCE, 0.7), (Cause.NATURAL, 0.4)),
        "All 4 changes clearly move GLEU’s r of 0.30 with people: among others to 0.70 with the source as a "
        "system, to 0.10 among the 6 best systems and to 0.40 on text as people write it",
    ),
    (
        "metric-causes",
        changed(0.3, (Cause.ONE_LEFT_OUT, 0.76)),
        "GLEU’s r with people clearly rises from 0.30 to 0.76 without Alder",
    ),
    (
        "metric-causes",
        changed(0.3, (Cause.TIES, 0.2), (Cause.SOURCE, 0.35), clear=1),
        "GLEU’s r with people clearly falls from 0.30 to 0.20 if ties count as half a win; no other tested "
        "change clearly moves it",
    ),
    *(
        (
            "metric-causes",
            changed(0.3, (cause, 0.4)),
            f"GLEU’s r with people clearly rises from 0.30 to 0.40 {how}",
        )
        for cause, how in (
            (Cause.WORSE, "among the 6 worst systems"),
            (Cause.SOURCE, "with the source as a system"),
            (Cause.REFERENCES, "with references as systems"),
            (Cause.TIES, "if ties count as half a win"),
            (Cause.NATURAL, "on text as people write it"),
        )
    ),
    ("metric-sweep", swept(None), "GLEU cannot be correlated with people"),
    (
        "metric-sweep",
        swept(0.5),
        "No n agrees better with people than the 0.5 of GLEU: r is 0.70 there and 0.70 at most",
    ),
    (
        "metric-sweep",
        swept(0.3, 0.01, 0.04),
        "By Pearson’s r, GLEU agrees clearly better with people at n = 0.3 (0.70) than at 0.5 (0.60); by "
        "Spearman’s ρ, at 0.3 (0.70 against 0.60)",
    ),
    (
        "metric-sweep",
        swept(0.3, 0.2, 0.04),
        "By Pearson’s r, GLEU agrees clearly better with people at n = 0.3 (0.70) than at 0.5 (0.60); not by "
        "Spearman’s ρ",
    ),
    (
        "metric-sweep",
        swept(0.4, 0.2, 0.06),
        "No n agrees clearly better with people than the 0.5 of GLEU: r is 0.60 there and 0.70 at most",
    ),
    ("metric-sweep", swept(0.4), "GLEU has its highest r with people at n = 0.4, which is not tested"),
    ("learned-mterater", ordering({}), "No metric orders the judged pairs"),
    (
        "learned-mterater",
        ordering({"gleu": 0.4, "MTeRater": 0.3}),
        "On held-out sentences, MTeRater (τ = 0.30) is not clearly better than GLEU alone (0.40)",
    ),
    (
        "learned-mterater",
        ordering({"gleu": 0.4, "all without text": 0.5}),
        "On held-out sentences, a model of all features but text (τ = 0.50) is not clearly better than GLEU "
        "alone (0.40)",
    ),
    (
        "learned-mterater",
        ordering({"metrics": 0.5}),
        "On held-out sentences, a model of all metrics orders the judged pairs at τ = 0.50",
    ),
    (
        "learned-mterater",
        ordering({"gleu": 0.4, "MTeRater-Plus": 0.5, "MTeRater": 0.1}),
        "On held-out sentences, MTeRater-Plus (τ = 0.50) is not clearly better than GLEU alone (0.40); "
        "MTeRater alone has 0.10",
    ),
    (
        "learned-mterater",
        ordering({"gleu": 0.4, "MTeRater": 0.45}, p=0.6),
        "On held-out sentences, MTeRater (τ = 0.45) is not clearly better than GLEU alone (0.40)",
    ),
    (
        "learned-mterater",
        ordering({"gleu": 0.4, "MTeRater": 0.55}, p=0.001),
        "On held-out sentences, MTeRater (τ = 0.55) is clearly better than GLEU alone (0.40)",
    ),
    (
        "learned-mterater",
        ordering({"gleu": 0.4, "MTeRater": 0.55}, p=0.02, others=2),  # Holm: 3 * 0.02
        "On held-out sentences, MTeRater (τ = 0.55) is not clearly better than GLEU alone (0.40)",
    ),
    (
        "learned-gmeg",
        learned(None, 0.5),
        "The learned metric cannot be correlated with people on held-out sentences",
    ),
    (
        "learned-gmeg",
        learned(0.914, 0.9, 8),
        "On held-out sentences, GMEG-Metric (r = 0.91) is ahead of GLEU (0.90) in 8 of 10 splits (no test)",
    ),
    (
        "learned-gmeg",
        learned(0.914, 0.9, 10, 10),
        "On held-out sentences, GMEG-Metric (r = 0.91) is ahead of GLEU (0.90) in all 20 splits (no test)",
    ),
    (
        "learned-gmeg",
        learned(0.801, 0.9, 1),
        "On held-out sentences, GLEU (r = 0.90) is ahead of GMEG-Metric (0.80) in 9 of 10 splits (no test)",
    ),
    (
        "learned-gmeg",
        learned(0.801, 0.9),
        "On held-out sentences, GLEU (r = 0.90) is ahead of GMEG-Metric (0.80) (no test)",
    ),
    (
        "learned-gmeg",
        learned(0.901, 0.902),
        "On held-out sentences, GMEG-Metric agrees with people as well as GLEU alone (r = 0.90)",
    ),
)


@for_each(HEADINGS)
def test_a_heading(name: str, result: Any, expected: str) -> None:
    assert heading(name, result, PARAMETERS.get(name)) == expected


@pytest.mark.parametrize(
    ("person", "empty", "low", "expected"),
    [
        (0.49, 0.0, -0.1, Verdict.LARGE_UNSURE),
        (0.49, 0.0, -0.02, Verdict.LARGE),
        (1.0, 0.51, -0.1, Verdict.SMALL_UNSURE),
        (1.0, 0.51, 0.005, Verdict.SMALL),
        (1.0, 0.9, 0.005, Verdict.LARGE),
        (1.0, 0.9, -0.1, Verdict.LARGE_UNSURE),
    ],
)
def test_a_fault_that_rests_on_unsure_differences_is_perhaps_one(
    person: float, empty: float, low: float, expected: Verdict
) -> None:
    """The interval is that of the score at fault; of a large fault, by how much it is more than allowed."""
    scores: dict[str, float | None] = dict.fromkeys(map(str, Degenerate), 0.0)
    scores |= {PERSON: person, Degenerate.UNCHANGED: 0.5, Degenerate.EMPTY: empty}
    faulty = Degenerate.EMPTY if person > 0.5 else PERSON
    difference = Estimate(None, low, -0.005 if low == -0.02 else 0.1, None)
    rule = Rule.WORSE_ABOVE if person > 0.5 else Rule.NO_CHANGE_AS_GOOD
    finding = Finding(rule, Degenerate.EMPTY if person > 0.5 else Degenerate.UNCHANGED, "")
    excesses = {finding.system: difference}
    assert verdict_on(StressCard(scores, (finding,), {faulty: difference}, excesses)) is expected
