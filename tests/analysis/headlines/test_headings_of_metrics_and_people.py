"""Headings of results about which metric agrees with people."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace as Made
from typing import Any

import pytest

from analysis.analyses.metrics.new_metric.compared import Lead
from analysis.pages.compare_metrics import words as compare_metrics
from annotate.models import Campaign
from metrics.meta_evaluation import Check, CheckLine, Estimate, Outcome
from tests.analysis.headlines.headings import MANY, Headings, for_each, heading


def new_metric(name: str = "gleu", **leads: tuple[str, bool, float | None]) -> Made:
    """A new metric that stands so to others, by figure: the other, whether it is ahead, and p."""
    held = {figure: Lead(*lead) for figure, lead in leads.items()}

    def row(metric: str, value: float, **more: Any) -> Made:
        agreement = Made(spa=Made(value=value), pearson=Made(value=value))
        return Made(metric=metric, accuracy=Made(value=value), agreement=agreement, **more)

    new = row(name, 0.5, leads=held)
    return Made(new=[new], metrics=[new, *(row(lead.other, 0.6) for lead in held.values())])


def accuracy(value: float | None, low: float | None, high: float | None) -> Made:
    return Made(accuracy=Made(value=value, low=low, high=high))


WELL_BELOW = accuracy(0.5, 0.4, 0.6)


def in_domains(*best: str, low: float | None = 0.8, bleu: Made = WELL_BELOW) -> Made:
    """The metrics of the highest accuracy in each domain, separated by blanks; BLEU stands beside any."""
    return Made(
        domains=[
            Made(
                domain=f"D{place}",
                metrics={name: accuracy(0.9, low, 1.0) for name in names.split()}
                | {"bleu": bleu if names else accuracy(None, None, None)},
            )
            for place, names in enumerate(best, start=1)
        ]
    )


def windows(values: Mapping[str, float | None], *, low: float | None = None) -> Made:
    return Made(
        reason=None,
        systems=range(12),
        windows=[Made(last=4)],
        metrics={
            name: Made(windows=[Made(accuracy=Made(value=value, low=low, high=value))])
            for name, value in values.items()
        },
    )


def by_ranks(
    agreed: Sequence[int], *p: float, farthest: int = 4, gain: tuple[float, float] | None = (0.2, 0.3)
) -> Made:
    """Metrics by how many of 100 pairs they order as people do; p is of the first against each other.

    `gain` is the interval of what they gain on the pairs farthest apart.
    """
    names = MANY[: len(agreed)]
    parts = {1: Made(agreed=50, pairs=100), farthest: Made(agreed=75, pairs=100)}
    return Made(
        tests=Made(metrics=names, holm=[[None, *p]]),
        metrics={
            name: Made(
                whole=Made(agreed=number, pairs=100, accuracy=Made(value=number / 100)),
                by_difference=parts,
                gain=gain and Estimate(0.25, *gain, None),
            )
            for name, number in zip(names, agreed, strict=True)
        },
    )


def advised(*recommended: str, reason: str = "", stress: str = "passed") -> Made:
    line = CheckLine(Check.STRESS, Outcome(stress), None, None, (), "")
    return Made(recommended=recommended, reason=reason, lines=dict.fromkeys(recommended, (line,)))


def not_advised(*, undecided: int, failed: int) -> Made:
    outcomes = [Outcome.UNDECIDED] * undecided + [Outcome.FAILED] * failed
    names = [f"S{place}" for place in range(1, len(outcomes) + 1)]
    lines = {
        name: (CheckLine(Check.SENTENCES, outcome, None, None, (), ""),)
        for name, outcome in zip(names, outcomes, strict=True)
    }
    return Made(recommended=(), reason="these judgments do not tell", lines=lines)


def compared(p: Sequence[float | None]) -> Made:
    """Metrics by descending r, with the p-value of the first against each."""
    names = MANY[: len(p)]
    return Made(
        systems={},
        tests={"bootstrap": Made(metrics=names, holm=[p])},
        metrics={
            name: Made(pearson=Made(value=0.9 - place / 100), scores={}) for place, name in enumerate(names)
        },
    )


def ordered(agreed: int, sentences: int, reason: str = "") -> Made:
    mean, low, high = (0.184, 0.17, 0.2) if sentences else (None, None, None)
    whole = Made(agreed=agreed, sentences=sentences, mean=mean, low=low, high=high)
    return Made(metrics={"gleu": Made(reason=reason, whole=whole)})


def synthetic(p: Sequence[float | None], *, r: float | None = 0.9, tested: bool = True) -> Made:
    """Metrics by descending r over synthetic systems, with the p-value of the first against each."""
    names = MANY[: len(p)]
    return Made(
        systems=["A", "B"],
        hybrids=range(1000),
        bootstrap=Made(metrics=names, holm=[p]) if tested else Made(metrics=(), holm=[]),
        metrics={
            name: Made(pearson=Made(value=None if r is None else r - place / 100))
            for place, name in enumerate(names)
        },
    )


HEADINGS: Headings = (
    (
        "metric-windows",
        windows({"gleu": None}),
        "No metric can be compared with people on the 4 best systems",
    ),
    (
        "metric-windows",
        windows({"gleu": 0.9}, low=0.8),
        "Among the 4 best systems of 12, the only metric clearly agrees with people",
    ),
    (
        "metric-windows",
        windows({"gleu": 0.9, "sari": 0.9, "bleu": 0.8}, low=0.85),
        "Among the 4 best systems of 12, all 3 metrics clearly agree with people, GLEU and SARI clearly more "
        "than the others",
    ),
    (
        "metric-windows",
        windows({"gleu": 0.9, "sari": 0.8}, low=0.7),
        "Among the 4 best systems of 12, both metrics clearly agree with people, none clearly more than the "
        "others",
    ),
    *(
        (
            "metric-windows",
            windows({"gleu": 0.9, "sari": 0.8}, low=low),
            "These judgments do not tell whether either metric agrees with people among the 4 best systems "
            "of 12",
        )
        for low in (0.5, None)
    ),
    *(
        (
            "metric-windows",
            windows(dict.fromkeys(MANY[:number], 0.9), low=0.5),
            f"These judgments do not tell whether {metrics} agrees with people among the 4 best systems "
            "of 12",
        )
        for number, metrics in ((1, "the only metric"), (3, "any of 3 metrics"))
    ),
    (
        "metric-windows",
        windows({"gleu": 0.4, "sari": 0.3}, low=0.2),
        "Among the 4 best systems of 12, neither metric clearly agrees with people",
    ),
    ("metrics-by-domain", in_domains(""), "No metric can be compared with people in any domain"),
    (
        "metrics-by-domain",
        in_domains("gleu", ""),
        "GLEU clearly agrees most with people in D1, the only domain that can be compared",
    ),
    ("metrics-by-domain", in_domains("gleu", "gleu"), "GLEU clearly agrees most with people in both domains"),
    (
        "metrics-by-domain",
        in_domains("gleu sari", "gleu sari"),
        "GLEU and SARI clearly agree most with people in both domains",
    ),
    (
        "metrics-by-domain",
        in_domains("gleu", "sari"),
        "A different metric clearly agrees most with people in each of 2 domains",
    ),
    (
        "metrics-by-domain",
        in_domains("gleu", "gleu", "sari"),
        "GLEU clearly agrees most with people in 2 of 3 domains, SARI in D3",
    ),
    *(
        (
            "metrics-by-domain",
            in_domains("gleu", "sari", low=low),
            "In no domain does one metric clearly agree more with people than the others",
        )
        for low in (0.55, None)
    ),
    (
        "metrics-by-domain",
        Made(domains=[*in_domains("gleu").domains, in_domains("", "sari", low=0.55).domains[1]]),
        "GLEU clearly agrees most with people in D1; elsewhere, none is clearly ahead",
    ),
    (
        "metrics-by-domain",
        in_domains("gleu", low=0.55),
        "In D1, no metric clearly agrees more with people than the others",
    ),
    (
        "metrics-by-domain",
        Made(
            domains=[Made(domain="D1", metrics={"gleu": Made(accuracy=Made(value=0.9, low=0.8, high=1.0))})]
        ),
        "No domain has two metrics that can be compared with people",
    ),
    (
        "metrics-by-domain",
        in_domains("gleu", bleu=accuracy(0.5, None, None)),
        "In D1, no metric clearly agrees more with people than the others",
    ),
    (
        "metric-rank-pairs",
        by_ranks([]),
        "These judgments have no pair of outputs that metrics could order",
    ),
    (
        "metric-rank-pairs",
        by_ranks([62, 60], 0.01),
        "S1 orders 75 % of the pairs of outputs 4 ranks apart as people do, clearly more than of those "
        "1 rank apart (50 %)",
    ),
    (
        "metric-rank-pairs",
        by_ranks([62, 60], 0.01, gain=(-0.01, 0.5)),
        "S1 orders 75 % of the pairs of outputs 4 ranks apart as people do, not clearly more or less than of "
        "those 1 rank apart (50 %)",
    ),
    (
        "metric-rank-pairs",
        by_ranks([62, 60], 0.01, gain=None),
        "S1 orders 75 % of the pairs of outputs 4 ranks apart as people do, and 50 % of those 1 rank apart",
    ),
    ("metric-rank-pairs", by_ranks([60], farthest=1), "S1 orders 60 % of the pairs of outputs as people do"),
    ("metric-advice", advised("gleu"), "GLEU passes every check: it is the metric to report"),
    ("metric-advice", advised("gleu", "sari"), "GLEU and SARI pass every check"),
    (
        "metric-advice",
        advised("gleu", stress="unchecked"),
        "GLEU passes every check but stress, which was not tried",
    ),
    (
        "metric-advice",
        advised("gleu", "sari", stress="unchecked"),
        "GLEU and SARI pass every check but stress, which was not tried",
    ),
    ("metric-advice", advised(*MANY[:15]), "S1, S2 and 13 others pass every check"),
    ("metric-advice", advised(reason="there is one metric"), "No metric is recommended: there is one metric"),
    (
        "metric-advice",
        not_advised(undecided=2, failed=19),
        "No metric passes every check: S1 and S2 are undecided, and 19 others fail",
    ),
    (
        "metric-advice",
        not_advised(undecided=1, failed=1),
        "No metric passes every check: S1 is undecided, and 1 other fails",
    ),
    ("metric-advice", not_advised(undecided=1, failed=0), "No metric passes every check: S1 is undecided"),
    (
        "metric-advice",
        not_advised(undecided=0, failed=3),
        "None of 3 metrics passes every check: each fails at least one",
    ),
    (
        "metrics-people",
        Made(tests={"bootstrap": Made(metrics=[])}, metrics=compared([None, None]).metrics),
        "These judgments do not say which metric agrees best with people",
    ),
    ("metrics-people", compared([None, 0.01, 0.02]), "S1 agrees best with people"),
    (
        "metrics-people",
        compared([None, 0.5]),
        "No metric agrees significantly better with people than another one",
    ),
    (
        "metrics-people",
        compared([None, 0.5, 0.01]),
        "S1 has the highest r with people (0.90), clearly above 1 of the other 2 metrics",
    ),
    (
        "metrics-people",
        compared([None, *[0.5] * 13, 0.01]),
        "S1 has the highest r with people (0.90), clearly above 1 of the other 14 metrics",
    ),
    (
        "disagreements",
        ordered(12, 1312),
        "GLEU orders outputs differently from people in 1,300 of 1,312 sentences",
    ),
    ("disagreements", ordered(1, 1), "GLEU orders all outputs as people do in 1 sentence"),
    (
        "disagreements",
        ordered(0, 0, "it scores no sentences"),
        "GLEU cannot be compared with people by sentences: it scores no sentences",
    ),
    ("disagreements", ordered(0, 0), "No sentence has outputs that people ordered and GLEU scores"),
    (
        "hybrids",
        synthetic([None], r=None, tested=False),
        "No metric can be correlated with people over synthetic systems",
    ),
    *(
        (
            "hybrids",
            synthetic(p, tested=tested),
            f"Over 1,002 real and synthetic systems, S1 has the highest r with people (0.90){clearly}",
        )
        for p, tested, clearly in (
            ([None], True, ""),
            ([None, 0.01], False, ""),
            ([None, 0.01, 0.02], True, ", clearly above all others"),
            ([None, 0.2, 0.06], True, ", not clearly above any other"),
            ([None, 0.2, 0.01, None], True, ", clearly above 1 of the other 3 metrics"),
        )
    ),
    ("new-metric", new_metric(), "There is no other metric to compare with"),
    (
        "new-metric",
        new_metric(accuracy=("m2", True, 0.01), spa=("m2", True, 0.02)),
        "GLEU is clearly ahead of the best other metric: accuracy 0.50 (M2 (MaxMatch) 0.60), SPA 0.50 (M2 "
        "(MaxMatch) 0.60)",
    ),
    (
        "new-metric",
        new_metric(accuracy=("m2", False, 0.01), spa=("chrf", False, 0.2)),
        "GLEU is clearly behind the best other metric by sentence, accuracy 0.50 (M2 (MaxMatch) 0.60), and "
        "is not told apart from the best other metric by system, SPA 0.50 (chrF++ 0.60)",
    ),
    (
        "new-metric",
        new_metric(pearson=("m2", True, None)),
        "GLEU is not told apart from the best other metric: r 0.50 (M2 (MaxMatch) 0.60)",
    ),
    (
        "new-metric",
        new_metric(accuracy=("m2", False, 0.2), spa=("chrf", True, 0.2), name="mine (uploaded)"),
        "mine (uploaded) is not told apart from the best other metric: accuracy 0.50 (M2 (MaxMatch) 0.60), "
        "SPA 0.50 (chrF++ 0.60)",
    ),
)


@for_each(HEADINGS)
def test_a_heading(name: str, result: Any, expected: str) -> None:
    assert heading(name, result) == expected


@pytest.mark.parametrize(
    ("best", "campaigns", "simulated", "expected"),
    [
        (0, 1, 0, "Fewer than two metrics have Pearson’s r in every campaign"),
        (1, 1, 0, "S1 has the highest Pearson’s r in GJG15, clearly above all others"),
        (2, 1, 1, "S1 and S2 have the highest Pearson’s r in GJG15, which is simulated"),
    ],
)
def test_compared_metrics(best: int, campaigns: int, simulated: int, expected: str) -> None:
    rows = [(name, Made(mean=1.5 if place < best else None)) for place, name in enumerate(MANY)]
    of_two = compared([None, 0.5 if best > 1 else 0.01])
    campaigns_compared = [
        Made(campaign=Campaign(name="GJG15", synthetic=place < simulated), result=of_two)
        for place in range(campaigns)
    ]
    shown: Any = Made(rows=rows, with_result=campaigns_compared, figure="pearson")
    assert compare_metrics.headline(shown) == expected


@pytest.mark.parametrize(
    ("p", "simulated", "expected"),
    [
        ([0.01, 0.5], 0, "Of 3 metrics in 2 campaigns, S1 and S3 are clearly below the highest r of none"),
        (
            [0.01, 0.01],
            1,
            "Of 3 metrics in 2 campaigns, one of which is simulated, S1 is clearly below the highest r of "
            "none",
        ),
        (
            [0.5, 0.5],
            2,
            "None of 3 metrics in 2 campaigns, two of which are simulated, is clearly below the highest r "
            "of any",
        ),
    ],
)
def test_metrics_in_several_campaigns(p: list[float], simulated: int, expected: str) -> None:
    campaigns = [
        Made(campaign=Campaign(name="GJG15", synthetic=place < simulated), result=compared([None, *p]))
        for place in range(2)
    ]
    rows = [(name, Made(mean=1.0 + place)) for place, name in enumerate(MANY[:3])]
    shown: Any = Made(rows=rows, with_result=campaigns, figure="pearson")
    assert compare_metrics.headline(shown) == expected
    shown.figure = "spa"
    assert compare_metrics.headline(shown).startswith("S1 has the best mean rank by SPA over 2 campaigns")
    other = compared([None, 0.01, 0.01])
    campaigns[1].result.tests["bootstrap"] = Made(metrics=["S2", "S1", "S3"], holm=[[None, 0.01, 0.01]])
    campaigns[1].result.metrics |= {"S2": Made(pearson=Made(value=0.99))}
    shown.figure, campaigns[0].result = "pearson", other
    assert compare_metrics.headline(shown).endswith("is clearly below the highest r of at least one")


@pytest.mark.parametrize(
    ("figure", "ending"),
    [
        ("pearson", ", clearly above 1 of the other 3 metrics"),
        ("spa", "; the judgments do not separate it from S2"),
    ],
)
def test_the_heading_says_how_clearly_the_best_metric_leads(figure: str, ending: str) -> None:
    """By r, as *Metrics against people* has it; by other figures, within the interval of the best."""
    spa = {"S1": (0.8, 0.6), "S2": (0.7, 0.5), "S3": (0.5, 0.3), "S4": (0.4, 0.2)}
    of = Made(
        campaign=Campaign(name="GJG15"),
        result=compared([None, 0.5, 0.2, 0.01]),
        estimate=lambda name: Made(value=spa[name][0], low=spa[name][1], high=spa[name][0]),
    )
    rows = [(name, Made(mean=1.0 + place)) for place, name in enumerate(spa)]
    shown: Any = Made(rows=rows, with_result=[of], figure=figure)
    assert compare_metrics.headline(shown).endswith(f" in GJG15{ending}")
