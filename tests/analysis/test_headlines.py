"""The heading of every result, as text, for few and many systems, metrics, annotators and people."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pytest

from analysis.analyses.annotators.judges_compared import JudgeKind, MachineJudgesParameters
from analysis.analyses.base import analyses
from analysis.analyses.metrics.metric_windows import ACCURACY
from analysis.analyses.metrics.new_metric_compared import Lead
from analysis.analyses.references.perfect_corrector import PerfectCorrectorParameters
from analysis.analyses.systems.fragility import FragilityParameters
from analysis.analyses.systems.ranking_headline import not_counted
from analysis.analyses.systems.ranking_with_machine import MachineRanking
from analysis.pages import compare_metrics
from annotate.models import Campaign
from core.names import Naming
from core.results import Computed
from core.wording import beginning, briefly, in_words, some_of
from metrics.meta_evaluation import Cause, Check, CheckLine, Outcome
from ranking import Coefficient, Method, Standing, Standings, Unit
from ranking.machines import PoweredRanking, PoweredStanding, RankedScore

NAMING = Naming("", {"A": "Alder"}, {}, {})

MANY = [f"S{number}" for number in range(1, 41)]
"""Names of systems, metrics or annotators."""


def judges(kind: JudgeKind, *tested: tuple[int, int] | str) -> Any:
    """Judges who beat so many of so many annotators, or were not tested for a reason."""
    return [
        Made(
            name=f"{kind.value} {place}",
            kind=kind,
            test=Made(winning_rate=None, may_stand_in=None, reason=each)
            if isinstance(each, str)
            else Made(
                winning_rate=each[0] / each[1],
                may_stand_in=2 * each[0] >= each[1],
                advantage_probability=0.5,
                beaten=each[0],
                tested=each[1],
                reason=None,
            ),
        )
        for place, each in enumerate(tested, start=1)
    ]


def judged_here(*each: Any) -> Any:
    return Made(reason=None, judges=[judge for some in each for judge in some])


def heading(name: str, result: Any, parameters: Any = None, **chosen: str) -> str:
    """The heading of a result of an analysis, which holds no more than the heading reads."""
    analysis = analyses()[name]
    assert analysis.headline is not None
    return analysis.headline(Computed(parameters, result, chosen=chosen), NAMING)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (MANY[:1], "S1 leads"),
        (MANY[:2], "S1 and S2 lead"),
        (MANY[:3], "S1, S2 and S3 lead"),
        (MANY[:4], "S1, S2 and 2 others lead"),
        (MANY[:15], "S1, S2 and 13 others lead"),
        (MANY, "S1, S2 and 38 others lead"),
    ],
)
def test_a_long_list_names_the_first_two(names: Sequence[str], expected: str) -> None:
    assert briefly(names, "leads", "lead") == expected


@pytest.mark.parametrize(
    ("number", "total", "expected"),
    [
        (0, 1, "no pair is settled"),
        (1, 1, "the only pair is settled"),
        (0, 2, "neither pair is settled"),
        (1, 2, "1 of 2 pairs is settled"),
        (2, 2, "both pairs are settled"),
        (0, 14, "none of 14 pairs is settled"),
        (13, 14, "13 of 14 pairs are settled"),
        (14, 14, "all 14 pairs are settled"),
        (1500, 2000, "1,500 of 2,000 pairs are settled"),
    ],
)
def test_a_part_has_its_verb(number: int, total: int, expected: str) -> None:
    assert some_of(number, total, "pair", does="is settled", do="are settled") == expected


def test_a_control_leads_no_headline() -> None:
    naming = Naming("", {}, {"S1": "control"}, {})
    said = analyses()["error-spans"].headline
    assert said is not None
    assert said(Computed(None, with_spans(None, 1, 2)), naming) == "S2 has a score of 80.2"


def test_types_of_edits_are_compared_only_where_they_differ() -> None:
    types = [Made(of=name, edits=30, precision=share) for name, share in (("M_PUNCT", 1.0), ("*", 0.5))]
    lead = analyses()["edits"].lead
    assert callable(lead)
    between = Made(value=None)
    assert lead(Computed(None, Made(types=types, between=between)), NAMING) == (
        "Of types with 20 edits or more, M\\_PUNCT is accepted most often (100\xa0%) "
        "and \\* least often (50\xa0%)."
    )
    assert lead(Computed(None, Made(types=types[:1] * 2, between=between)), NAMING) == ""


def test_small_numbers_are_words() -> None:
    assert [in_words(number) for number in (0, 1, 12, 13, 1000)] == ["no", "one", "twelve", "13", "1,000"]
    assert beginning("all of GPT") == "All of GPT"


def with_spans(f1: float | None, *clusters: int | None) -> Made:
    """A result with this agreement on characters, and systems from S1 on in clusters."""
    systems = [
        Made(system=f"S{place}", score=Made(value=82.23 - place), cluster=cluster)
        for place, cluster in enumerate(clusters, start=1)
    ]
    return Made(systems=systems, agreement=Made(coefficients=[Made(value=f1)]))


def on_scales(**alphas: float | None) -> Made:
    """Scales with this agreement."""
    return Made(scales=[Made(scale=name, ordinal=Made(value=alpha)) for name, alpha in alphas.items()])


def new_metric(**leads: tuple[str, bool, float | None]) -> Made:
    """A new metric that stands so to others, by figure: the other, whether it is ahead, and p."""
    agreement = Made(spa=Made(value=0.5), pearson=Made(value=0.5))
    held = {figure: Lead(*lead) for figure, lead in leads.items()}
    return Made(new=[Made(metric="gleu", leads=held, accuracy=Made(value=0.5), agreement=agreement)])


def weighed(share: float | None, *systems: tuple[str, float, float]) -> Made:
    """A share of accepted edits, and systems with the same precision and F, without and with weights."""
    return Made(
        total=Made(share=Made(value=share)),
        systems=[
            Made(
                system=name,
                precision=Made(value=before),
                f=Made(value=before),
                weighted_precision=Made(value=after),
                weighted_f=Made(value=after),
            )
            for name, before, after in systems
        ],
    )


def edited(edits: int, accepted: float | None, *clusters: str) -> Made:
    """So many edits, a share of which was accepted, of systems in clusters."""
    return Made(
        total=Made(edits=edits, precision=accepted), standings=ranked(*clusters) if clusters else None
    )


def ranked(*clusters: str, reason: str | None = None) -> Standings:
    """Systems in clusters, such as "A B"; each has a lower score than the one before.

    The rank range of a system is that of its cluster, or its own, such as in "A:1-2 B:2-3 C:2-3".
    """
    systems: list[Standing] = []
    for cluster, members in enumerate(map(str.split, clusters), start=1):
        best, worst = len(systems) + 1, len(systems) + len(members)
        for name, _, stated in (member.partition(":") for member in members):
            low, high = map(int, stated.split("-")) if stated else (best, worst)
            standing = Standing(name, 1 - len(systems) / 100, None, None, None, low, high, cluster, None)
            unranked = replace(standing, rank_low=None, rank_high=None, cluster=None)
            systems.append(unranked if reason else standing)
    return Standings(
        Method.EXPECTED_WINS, Unit.SENTENCE, 1000, 0.95, tuple(systems), (), np.empty((0, 0)), reason
    )


ROLES = {"SRC": "source", "REF": "reference", "REF2": "reference", "A": "system"}


@pytest.mark.parametrize(
    ("standings", "expected"),
    [
        (ranked(), "No system can be ranked yet"),
        (ranked("A"), "A is the only system with a score"),
        (ranked("A", "B"), "A is ranked above B"),
        (ranked("A B"), "A and B cannot be told apart"),
        (ranked("A B SRC C"), "None of the three systems can be told apart"),
        (ranked("A", "B C SRC D", "E"), "A is ranked first; B, C and D cannot be told apart"),
        (
            ranked("A", "B C SRC D E", "F"),
            "A is ranked first; four of the other five systems cannot be told apart",
        ),
        (ranked("A", "B C SRC D"), "A is ranked first; the other three systems cannot be told apart"),
        (ranked("A", "B", "C"), "A is ranked first; the other two systems can also be told apart"),
        (ranked("A B", "C D", "E F"), "A and B share first place; the other four systems form two clusters"),
        (ranked("A B C D", "E"), "four of the five systems share first place"),
        (ranked("A", "SRC", "B"), "A is ranked first"),
        (ranked("REF", "A B", "SRC"), "A and B share the highest place below REF"),
        (ranked("REF", "REF2", "A", "B"), "A is ranked highest below REF and REF2"),
        (
            ranked("REF", "A", "B C"),
            "A is ranked highest below REF; the other two systems cannot be told apart",
        ),
        (
            ranked("A", "B:2-3 C:2-4 D:4-5 E:4-5", "F"),
            "A is ranked first; four of the other five systems form one cluster",
        ),
        (ranked("A", "B:2-3 C:3-4 D:4-4"), "A is ranked first; the other three systems form one cluster"),
        (
            ranked("A:1-2 B:2-3 C:3-3", "D"),
            "of the three systems in the first cluster, only A can be ranked first",
        ),
        (
            ranked("A:1-2 B:1-3 C:3-3"),
            "of the three systems, A and B can be ranked first",
        ),
        (
            ranked("A:1-4 B:1-4 C:1-5 D:1-5 E:5-6 SRC:5-6", "F G"),
            "of the five systems in the first cluster, four can be ranked first; "
            "the two systems below cannot be told apart",
        ),
        (
            ranked("REF", "A:2-3 B:3-4 C:3-4"),
            "of the three systems, only A can be ranked highest below REF",
        ),
        (ranked("A SRC", "B"), "A shares the first cluster with SRC"),
        (ranked("REF:1-2 A:2-3 B:2-3", "C"), "A and B share the first cluster with REF"),
        (ranked("REF", "SRC", reason="there is only one sentence"), "REF has the highest score"),
        (ranked(*MANY[:15]), "S1 is ranked first; the other 14 systems can all be told apart"),
        (ranked(*MANY), "S1 is ranked first; the other 39 systems can all be told apart"),
        (ranked(" ".join(MANY)), "None of the 40 systems can be told apart"),
        (ranked(" ".join(MANY[:15])), "None of the 15 systems can be told apart"),
        (
            ranked(*map(" ".join, (MANY[:2], MANY[2:15]))),
            "S1 and S2 share first place; the other 13 systems cannot be told apart",
        ),
        (
            ranked(*map(" ".join, (MANY[:12], MANY[12:15]))),
            "twelve of the 15 systems share first place; the other three systems cannot be told apart",
        ),
        (
            ranked(*map(" ".join, (MANY[:1], MANY[1:20], MANY[20:30], MANY[30:]))),
            "S1 is ranked first; the other 39 systems form three clusters",
        ),
        (ranked("REF", "SRC", "REF2", "A B"), "A and B share the highest place below REF, SRC and REF2"),
        (ranked("A", "SRC B REF", "C"), "A is ranked first; the other two systems can also be told apart"),
        (ranked("A B SRC"), "A and B cannot be told apart"),
        (ranked("A:1-2 SRC:1-3 B:2-4 C:3-4"), "of the three systems, only A can be ranked first"),
        (ranked("REF REF2 SRC", "A"), "A is ranked highest below REF, REF2 and SRC"),
        (ranked("REF", "SRC", "REF2"), "REF is ranked first"),
        (ranked("REF SRC REF2"), "REF, SRC and REF2 share first place"),
    ],
)
def test_a_ranking(standings: Standings, expected: str) -> None:
    result, naming = Made(standings=standings), Naming("", {}, ROLES, {})
    said = analyses()["ranking"].headline
    assert said is not None
    assert said(Computed(None, result), naming) == beginning(expected)


@pytest.mark.parametrize(
    ("standings", "expected"),
    [
        (ranked("A", "B"), ""),
        (ranked("A", "SRC", "B"), "SRC does not count as a system."),
        (ranked("REF SRC", "A", "REF2"), "The reference, SRC and REF2 do not count as systems."),
    ],
)
def test_what_a_ranking_counts_as_systems(standings: Standings, expected: str) -> None:
    assert not_counted(standings, ROLES, {"REF": "The reference"}) == expected


def test_systems_are_called_by_their_labels() -> None:
    assert heading("ranking", Made(standings=ranked("A", "B"))) == "Alder is ranked above B"


def judging(kappa: float | None) -> Made:
    return Made(agreement=Made(inter=Made(value=kappa, reason="there is only one annotator")))


def documents(*kappas: float) -> Made:
    return Made(
        documents=[
            Made(document=f"D{place}", kappa=Made(value=kappa)) for place, kappa in enumerate(kappas, start=1)
        ]
    )


def domains(*best: str) -> Made:
    """The systems of the highest score in each domain, separated by blanks."""
    return Made(
        domains=[
            Made(
                domain=f"D{place}",
                standings=Made(systems=[Made(system=name, score=0.6) for name in names.split()]),
            )
            for place, names in enumerate(best, start=1)
        ]
    )


def watched(settled: int, total: int) -> Made:
    return Made(borders=range(total), settled=settled, undecided=range(total - settled), machine="")


def borders(*removed: int) -> Made:
    return Made(
        swapped=[
            Made(above="A", below=name, removed=range(number), groups=600)
            for name, number in zip(MANY, removed, strict=False)
        ]
    )


def flagged(number: int, total: int) -> Made:
    names = MANY[:total]
    why = {name: ("too fast",) if place < number else () for place, name in enumerate(names)}
    return Made(annotators=names, reasons=lambda thresholds: why)


def effects(*values: float, high: float = 2.0) -> list[Any]:
    return [
        Made(name=name, value=value, low=value - 0.1, high=min(high, value + 0.1))
        for name, value in zip(["A", *MANY], values, strict=False)
    ]


def modelled(plain: Sequence[float], now: Sequence[float], reliabilities: Sequence[float] = ()) -> Made:
    return Made(
        plain=effects(*plain),
        with_judges=effects(*now),
        with_style=[],
        judges=effects(*reliabilities),
        is_scored=False,
    )


def corrected(systems: Sequence[float], people: Sequence[float]) -> Made:
    """Correctors by descending words."""
    return Made(
        correctors=[
            Made(name=name, is_person=is_person, words=Made(value=words))
            for is_person, numbers in ((False, systems), (True, people))
            for name, words in zip(["A", *MANY], numbers, strict=False)
        ]
    )


def beside_people(above: int, people: int) -> Made:
    return Made(systems=[Made(name="A", above=above)], people=range(people))


def stressed(passing: int, total: int) -> Made:
    return Made(
        metrics=[
            Made(label=name, card=Made(findings=() if place < passing else ("rewards no edit",)))
            for place, name in enumerate(MANY[:total])
        ]
    )


def in_domains(*best: str) -> Made:
    """The metrics of the highest accuracy in each domain, separated by blanks."""
    return Made(
        domains=[
            Made(
                domain=f"D{place}",
                metrics={name: Made(accuracy=Made(value=0.9)) for name in names.split()}
                | {"bleu": Made(accuracy=Made(value=0.5 if names else None))},
            )
            for place, names in enumerate(best, start=1)
        ]
    )


def windows(values: Mapping[str, float | None], *, last: int = 4, low: float | None = None) -> Made:
    return Made(
        reason=None,
        windows=[Made(last=last)],
        metrics={
            name: Made(windows=[Made(accuracy=Made(value=value, low=low))]) for name, value in values.items()
        },
    )


def chains(*ends: tuple[float, float]) -> Made:
    return Made(
        metrics={
            name: Made(spearman=Made(value=value, high=high))
            for name, (value, high) in zip(MANY, ends, strict=False)
        }
    )


def by_ranks(accuracies: Sequence[float], near: float = 0.5, far: float = 0.75, farthest: int = 4) -> Made:
    parts = {1: Made(accuracy=Made(value=near)), farthest: Made(accuracy=Made(value=far))}
    return Made(
        metrics={
            name: Made(whole=Made(accuracy=Made(value=accuracy)), by_difference=parts)
            for name, accuracy in zip(MANY, accuracies, strict=False)
        }
    )


def steps(*down: int, total: int = 12) -> Made:
    return Made(
        metrics={name: (0, number, 0) for name, number in zip(MANY, down, strict=False)}, steps=range(total)
    )


def advised(*recommended: str, reason: str = "", stress: str = "passed") -> Made:
    line = CheckLine(Check.STRESS, Outcome(stress), None, None, (), "")
    return Made(recommended=recommended, reason=reason, lines=dict.fromkeys(recommended, (line,)))


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


def counted_outputs(valid: int, total: int) -> Made:
    return Made(valid=valid, outputs=range(total))


def grown(number: int, *gains: float) -> Made:
    return Made(grown=number, scores=Made(systems=[Made(gain=Made(value=gain)) for gain in gains]))


def learned(ours: float | None, theirs: float | None) -> Made:
    return Made(
        held_out=[
            Made(metric="GMEG-Metric", domain="", pearson=Made(mean=ours)),
            Made(metric="gleu", domain="", pearson=Made(mean=theirs)),
        ]
    )


def curve(*accuracies: float, answers: float = 2) -> Made:
    points = [Made(references=1 + place, accuracy=Made(value=each)) for place, each in enumerate(accuracies)]
    return Made(curve=points, answers=answers)


def points(*scores: tuple[int, float | None]) -> Made:
    return Made(points=[Made(references=number, perfect=Made(value=score)) for number, score in scores])


def candidates(first: float, last: float) -> Made:
    ends = {"words_low": first - 0.2, "words_high": first + 0.2}
    return Made(points=[Made(references=1, words=first, **ends), Made(references=10, words=last)])


def ordered(agreed: int, sentences: int, reason: str = "") -> Made:
    return Made(metrics={"gleu": Made(reason=reason, whole=Made(agreed=agreed, sentences=sentences))})


def synthetic(pearson: float | None) -> Made:
    return Made(metrics={"gleu": Made(pearson=Made(value=pearson))})


def swept(best: float | None, low: float | None = None, high: float | None = None) -> Made:
    value = Made(value=best, low=low, high=high)
    return Made(sweep=Made(metric="gleu", parameter="n", best={Coefficient.SPEARMAN: value}))


def changed(r: float | None, *changes: tuple[Cause, float]) -> Made:
    """A metric's r, and r with changes of intervals that leave out 0."""
    measured = Made(cause=Cause.MEASURED, correlations={Coefficient.PEARSON: r}, is_clear=False)
    variants = [
        Made(
            cause=cause,
            named=("A",),
            systems=6,
            correlations={Coefficient.PEARSON: value},
            differences={Coefficient.PEARSON: Made(value=value - (r or 0))},
            is_clear=True,
        )
        for cause, value in changes
    ]
    return Made(causes=Made(metric="gleu", variants=[measured, *variants]))


def ordering(taus: Mapping[str, float], p: float = 1.0) -> Made:
    """Learned metrics have groups of features."""
    return Made(
        taus=[
            Made(metric=name, groups=() if name == "gleu" else ("length",), pairs=Made(value=tau))
            for name, tau in taus.items()
        ],
        comparisons=[Made(first="MTeRater", second="gleu", clustered_p_value=p)],
    )


def two(difference: float | None, settled_at: int | None = None) -> Made:
    pair = Made(above="A", below="S1", last_difference=difference, settled_at=settled_at)
    return Made(pair=pair, half_width=0.1)


def powered(
    *, weight: float | None = None, width: float | None = None, reason: str | None = None
) -> MachineRanking:
    """Three systems that can be told apart, ranked with a machine."""
    scores = [RankedScore(1 - place / 4, 0, 1, place, place, place) for place in (1, 2, 3)]
    systems = tuple(
        PoweredStanding(name, score, score, 100, None)
        for name, score in zip(["A", *MANY], scores, strict=False)
    )
    ranking = PoweredRanking(Method.EXPECTED_WINS, 0.95, systems, 40, 40, 100, weight, width, 100, reason)
    return MachineRanking("", "Machine 1 (gpt-4o)", "gpt-4o", 80, None, ranking)


MADE: Sequence[tuple[str, Any, str]] = (
    ("agreement", judging(None), "The agreement of annotators is not defined: there is only one annotator"),
    ("agreement", judging(-0.02), "Annotators agree no better than chance (κ = -0.02)"),
    ("agreement", judging(0.52), "Annotators agree moderately (κ = 0.52)"),
    ("agreement-by-document", documents(), "No two annotators judged the same outputs of a document"),
    ("agreement-by-document", documents(0.3), "Kappa between annotators is 0.30 in D1"),
    ("agreement-by-document", documents(0.3, 0.3), "Kappa between annotators is 0.30 in both documents"),
    ("agreement-by-document", documents(*[0.3] * 40), "Kappa between annotators is 0.30 in all 40 documents"),
    (
        "agreement-by-document",
        documents(0.5, 0.1, 0.7),
        "Kappa between annotators ranges from 0.10 in D2 to 0.70 in D3",
    ),
    ("by-domain", domains(""), "No domain has a ranking yet"),
    ("by-domain", domains("A"), "All judged sentences with a domain are of D1, where Alder is first"),
    ("by-domain", domains("A", "A"), "Alder is first in both domains"),
    ("by-domain", domains("A B", "A B"), "Alder and B are first in both domains"),
    ("by-domain", domains("A", "B"), "A different system is first in each of 2 domains"),
    ("by-domain", domains("A", "A", "B"), "Alder is first in 2 of 3 domains, B in D3"),
    ("answers-per-hour", Made(total=Made(per_hour=None)), "No times were recorded"),
    ("answers-per-hour", Made(total=Made(per_hour=71.94)), "Annotators give 71.9 answers per hour"),
    ("quality", flagged(0, 0), "Nobody has answered yet"),
    ("quality", flagged(0, 1), "No annotator is flagged"),
    ("quality", flagged(1, 1), "The only annotator is flagged"),
    ("quality", flagged(0, 2), "Neither annotator is flagged"),
    ("quality", flagged(1, 2), "1 of 2 annotators is flagged"),
    ("quality", flagged(2, 3), "2 of 3 annotators are flagged"),
    ("quality", flagged(0, 15), "None of 15 annotators is flagged"),
    ("quality", flagged(40, 40), "All 40 annotators are flagged"),
    ("judge-model", modelled([], []), "There is nothing to model yet"),
    ("judge-model", modelled([2, 1], [2, 1]), "Alder stays first with annotators in the model"),
    ("judge-model", modelled([1, 2], [1, 1]), "Both systems are equal with annotators in the model"),
    ("judge-model", modelled([1] * 15, [1] * 15), "All systems are equal with annotators in the model"),
    (
        "judge-model",
        modelled([1, 2, 1], [2, 1, 1]),
        "With annotators in the model, Alder is first instead of S1",
    ),
    (
        "judge-model",
        modelled([1, 2, 1], [1.05, 1, 1]),
        "With annotators in the model, Alder is first instead of S1, but not clearly",
    ),
    (
        "judge-model",
        modelled([2] * 14 + [1], [2] * 14 + [1]),
        "Alder, S1 and 12 others stay first with annotators in the model",
    ),
    (
        "judge-model",
        modelled([2, 1], [2, 1], [0.5] * 3 + [1.2] * 12),
        "Alder stays first with annotators in the model; 3 of 15 annotators are less reliable than the "
        "average",
    ),
    ("stopping", watched(0, 0), "No two systems have been compared yet"),
    ("stopping", watched(0, 1), "No pair of neighbouring systems is settled"),
    ("stopping", watched(1, 1), "The only pair of neighbouring systems is settled: the campaign may stop"),
    (
        "stopping",
        Made(**vars(watched(1, 2)) | {"machine": "Machine 1 (gpt-4o)"}),
        "1 of 2 pairs of neighbouring systems is settled, counting on Machine 1 (gpt-4o)",
    ),
    ("stopping", watched(0, 2), "Neither pair of neighbouring systems is settled"),
    ("stopping", watched(2, 2), "Both pairs of neighbouring systems are settled: the campaign may stop"),
    ("stopping", watched(0, 14), "None of 14 pairs of neighbouring systems is settled"),
    ("stopping", watched(1, 14), "1 of 14 pairs of neighbouring systems is settled"),
    ("stopping", watched(38, 39), "38 of 39 pairs of neighbouring systems are settled"),
    ("stopping", watched(39, 39), "All 39 pairs of neighbouring systems are settled: the campaign may stop"),
    ("compare-systems", Made(pair=None), "No two systems have been compared yet"),
    ("compare-systems", two(None), "Alder and S1 cannot be compared yet: one of them has no score"),
    ("compare-systems", two(0.2, 300), "Alder is better than S1, and the order is settled"),
    ("compare-systems", two(0.2), "Alder seems better than S1, but the order is not settled"),
    ("compare-systems", two(0.05), "It is not settled whether Alder or S1 is better"),
    (
        "conservatism",
        corrected([1], [2]),
        "Every system changes fewer words than any person; Alder comes closest",
    ),
    (
        "conservatism",
        corrected([2, 1], [3, 2]),
        "No system changes more words than any person; Alder comes closest",
    ),
    (
        "conservatism",
        corrected([4], [3]),
        "Alder changes the most words of all systems, more than the only person",
    ),
    (
        "conservatism",
        corrected([4, 1], [3, 2]),
        "Alder changes the most words of all systems, more than both people",
    ),
    (
        "conservatism",
        corrected([*range(40, 0, -1)], [50] * 3 + [30] * 12),
        "Alder changes the most words of all systems, more than 12 of 15 people",
    ),
    ("human-performance", beside_people(0, 2), "No system scores above any person; Alder comes closest"),
    ("human-performance", beside_people(1, 2), "Alder, the best system, scores above 1 of 2 people"),
    ("human-performance", beside_people(2, 2), "Alder, the best system, scores above both people"),
    ("human-performance", beside_people(10, 10), "Alder, the best system, scores above all 10 people"),
    ("fragility", borders(), "There are no two neighbouring systems that could be swapped"),
    ("fragility", borders(12, 1, 30), "Without 1 of 600 judgments, S2 would be above Alder"),
    ("ranking-with-machine", Made(machine="", ranking=None), "No machine has judged here"),
    (
        "ranking-with-machine",
        powered(reason="people judged 12 sentences, fewer than 30"),
        "Machine 1 (gpt-4o) cannot count yet: people judged 12 sentences, fewer than 30",
    ),
    (
        "ranking-with-machine",
        powered(weight=0.3, width=0.912),
        "Alder is ranked first; the other two systems can also be told apart; Machine 1 (gpt-4o) makes "
        "intervals 9 % narrower",
    ),
    (
        "ranking-with-machine",
        powered(weight=0.01, width=0.999),
        "Alder is ranked first; the other two systems can also be told apart; Machine 1 (gpt-4o) hardly "
        "helps",
    ),
    (
        "ranking-with-machine",
        powered(weight=0.0, width=1.0),
        "Alder is ranked first; the other two systems can also be told apart; Machine 1 (gpt-4o) does not "
        "help, so people count alone",
    ),
    ("stress", stressed(0, 0), "No metric could be tried"),
    ("stress", stressed(0, 1), "S1 does not order degenerate outputs as people would"),
    ("stress", stressed(1, 1), "S1 orders degenerate outputs as people would"),
    ("stress", stressed(0, 2), "Neither metric orders degenerate outputs as people would"),
    ("stress", stressed(2, 2), "Both metrics order degenerate outputs as people would"),
    ("stress", stressed(1, 3), "Of 3 metrics, only S1 orders degenerate outputs as people would"),
    ("stress", stressed(0, 15), "None of 15 metrics orders degenerate outputs as people would"),
    (
        "stress",
        stressed(13, 15),
        "Of 15 metrics, only S1, S2 and 11 others order degenerate outputs as people would",
    ),
    (
        "metric-windows",
        windows({"gleu": None}),
        "No metric can be compared with people on the 4 best systems",
    ),
    ("metric-windows", windows({"gleu": 0.9}), "Among the 4 best systems, GLEU agrees most with people"),
    (
        "metric-windows",
        windows({"gleu": 0.9, "sari": 0.9, "bleu": 0.8}, low=0.85),
        "Among the 4 best systems, GLEU and SARI agree most with people",
    ),
    *(
        (
            "metric-windows",
            windows({"gleu": 0.9, "sari": 0.8}, low=low),
            "Among the 4 best systems, no metric clearly agrees more with people than the others",
        )
        for low in (0.7, None)
    ),
    (
        "metric-windows",
        windows(dict.fromkeys(MANY[:15], 1.0), last=12),
        "Among the 12 best systems, S1, S2 and 13 others agree most with people",
    ),
    ("metrics-by-domain", in_domains(""), "No metric can be compared with people in any domain"),
    (
        "metrics-by-domain",
        in_domains("gleu", ""),
        "GLEU agrees most with people in D1, the only domain that can be compared",
    ),
    ("metrics-by-domain", in_domains("gleu", "gleu"), "GLEU agrees most with people in both domains"),
    (
        "metrics-by-domain",
        in_domains("gleu sari", "gleu sari"),
        "GLEU and SARI agree most with people in both domains",
    ),
    (
        "metrics-by-domain",
        in_domains("gleu", "sari"),
        "A different metric agrees most with people in each of 2 domains",
    ),
    (
        "metrics-by-domain",
        in_domains("gleu", "gleu", "sari"),
        "GLEU agrees most with people in 2 of 3 domains, SARI in D3",
    ),
    ("maege", chains(), "No metric orders the corpora"),
    ("maege", chains((0.92, 1.0)), "S1 follows the order of corrections best (ρ = 0.92)"),
    (
        "maege",
        chains((0.92, 1.0), (-0.5, -0.1)),
        "S1 follows the order of corrections best (ρ = 0.92); S2 prefers corpora with fewer corrections",
    ),
    (
        "maege",
        chains((0.92, 1.0), *[(-0.5, -0.1)] * 14),
        "S1 follows the order of corrections best (ρ = 0.92); S2, S3 and 12 others prefer corpora with fewer "
        "corrections",
    ),
    (
        "metric-rank-pairs",
        by_ranks([]),
        "These judgments have no pair of outputs that metrics could order",
    ),
    (
        "metric-rank-pairs",
        by_ranks([0.62, 0.6]),
        "S1 orders the most pairs of outputs as people do (62 %): 50 % of those 1 rank apart, and 75 % of "
        "those 4 ranks apart",
    ),
    (
        "metric-rank-pairs",
        by_ranks([0.6], farthest=1),
        "S1 orders the most pairs of outputs as people do (60 %)",
    ),
    (
        "metric-rank-pairs",
        by_ranks([0.6] * 15),
        "S1, S2 and 13 others order the most pairs of outputs as people do (60 %)",
    ),
    ("lattice", steps(0, 0), "No metric goes down where the text gets better"),
    ("lattice", steps(3, 0, 1), "S1 goes down on 3 of 12 steps to a better text"),
    ("lattice", steps(1, 1, total=1), "S1 and S2 go down on 1 of 1 step to a better text"),
    ("metric-advice", advised("gleu"), "GLEU is the metric to report: it is among the best in every check"),
    ("metric-advice", advised("gleu", "sari"), "GLEU and SARI are among the best in every check"),
    (
        "metric-advice",
        advised("gleu", stress="unchecked"),
        "GLEU is among the best in every check but stress, which was not tried",
    ),
    (
        "metric-advice",
        advised("gleu", "sari", stress="unchecked"),
        "GLEU and SARI are among the best in every check but stress, which was not tried",
    ),
    ("metric-advice", advised(*MANY[:15]), "S1, S2 and 13 others are among the best in every check"),
    ("metric-advice", advised(reason="every metric fails a check"), "None: every metric fails a check"),
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
        "S1 and S2 agree best with people; the judgments do not separate them",
    ),
    (
        "metrics-people",
        compared([None, *[0.5] * 13, 0.01]),
        "S1, S2 and 12 others agree best with people; the judgments do not separate them",
    ),
    ("valid-outputs", counted_outputs(0, 0), "No output has a verdict yet"),
    ("valid-outputs", counted_outputs(1, 1), "The only output was judged valid"),
    ("valid-outputs", counted_outputs(0, 15), "None of 15 outputs was judged valid"),
    ("valid-outputs", counted_outputs(1, 3), "1 of 3 outputs was judged valid (33 %)"),
    ("valid-outputs", counted_outputs(40, 40), "All 40 outputs were judged valid"),
    ("rejected-edits", Made(edits=0, rejected=0), "No edit has a verdict yet"),
    ("rejected-edits", Made(edits=1, rejected=0), "Nobody rejected the only edit"),
    ("rejected-edits", Made(edits=9, rejected=0), "Nobody rejected any of 9 edits"),
    ("rejected-edits", Made(edits=1200, rejected=1000), "Somebody rejected 1,000 of 1,200 edits"),
    ("rejected-edits", Made(edits=1, rejected=1), "Somebody rejected the only edit"),
    ("weighted-edits", weighed(None), "No edit that the references lack has a verdict yet"),
    (
        "weighted-edits",
        weighed(0.414, ("A", 0.3, 0.3)),
        "People accept 41 % of edits that the references lack",
    ),
    (
        "weighted-edits",
        weighed(0.414, ("A", 0.3, 0.6), ("B", 0.2, 0.3)),
        "People accept 41 % of edits that the references lack; with these, precision rises most for Alder, "
        "and the order of systems by F0.5 stays",
    ),
    (
        "weighted-edits",
        weighed(0.414, ("A", 0.3, 0.3), ("B", 0.2, 0.5)),
        "People accept 41 % of edits that the references lack; with these, precision rises most for B, "
        "and the order of systems by F0.5 changes",
    ),
    (
        "weighted-edits",
        weighed(0.0, ("A", 0.3, 0.3), ("B", 0.2, 0.2)),
        "People accept 0 % of edits that the references lack; with these, the order of systems by F0.5 stays",
    ),
    ("edits", edited(0, None), "No edit has a verdict yet"),
    ("edits", edited(1, 1.0, "A B"), "100 % of 1 edit is accepted"),
    ("edits", edited(1200, 0.567, "A B"), "57 % of 1,200 edits are accepted"),
    ("edits", edited(9, 0.5, "A", "B"), "Alder makes the most precise edits: people accept 100 %"),
    (
        "edits",
        edited(9, 0.5, "A B", "C"),
        "Alder and B make the most precise edits: people accept 100 % of those by Alder",
    ),
    ("scales", on_scales(), "No output has been rated on a scale yet"),
    ("scales", on_scales(Fluency=None), "No two annotators have rated the same output yet"),
    ("scales", on_scales(Fluency=0.5), "Annotators agree on Fluency with α = 0.50"),
    (
        "scales",
        on_scales(Fluency=0.2, Grammar=0.25, Meaning=0.1, Style=None),
        "Annotators agree most on Grammar (α = 0.25) and least on Meaning (α = 0.10)",
    ),
    ("error-spans", Made(systems=[]), "No output of a system has been scored with its errors yet"),
    ("error-spans", with_spans(None, 1), "S1 has a score of 81.2"),
    ("error-spans", with_spans(None, None, None), "S1 has the highest score, 81.2"),
    ("error-spans", with_spans(None, 1, 1, 2), "S1 and S2 share first place, with scores up to 81.2"),
    (
        "error-spans",
        with_spans(0.456, 1, 2),
        "S1 has the highest score, 81.2; annotators mark the same characters with F1 = 0.46",
    ),
    ("validity", Made(total=Made(share=None)), "No output has a verdict yet"),
    ("validity", Made(total=Made(share=1.0, outputs=1)), "100 % of 1 output was judged valid"),
    ("validity", Made(total=Made(share=0.567, outputs=1200)), "57 % of 1,200 outputs were judged valid"),
    ("grown-references", Made(grown=0, scores=None), "No output has become a reference yet"),
    ("grown-references", grown(1, 0.01), "1 output became a reference; F changed by +0.010"),
    (
        "grown-references",
        grown(1200, 0.02, -0.01),
        "1,200 outputs became references; F changed by -0.010 to +0.020",
    ),
    (
        "corrections",
        Made(sentences=range(1), mean_corrections=2.0, mean_distinct=1.0),
        "1 sentence has 2.0 corrections on average, 1.0 of them distinct",
    ),
    ("corrections", Made(sentences=(), mean_corrections=0.0), "No correction has been written yet"),
    ("corpus-statistics", Made(statistics=Made(edits=None)), "No reference changes its sentence"),
    (
        "corpus-statistics",
        Made(statistics=Made(edits=2.34, unchanged=0.146)),
        "References change 85 % of the sentences, by 2.3 edits each",
    ),
    (
        "corrections-coverage",
        curve(0.4, 0.5),
        "Against 2 references, a perfect corrector would match in 50 % of the sentences",
    ),
    ("disagreements", ordered(12, 1312), "GLEU orders all outputs as people do in 12 of 1,312 sentences"),
    ("disagreements", ordered(1, 1), "GLEU orders all outputs as people do in 1 of 1 sentence"),
    (
        "disagreements",
        ordered(0, 0, "it scores no sentences"),
        "GLEU cannot be compared with people by sentences: it scores no sentences",
    ),
    ("hybrids", synthetic(None), "No metric can be correlated with people over synthetic systems"),
    (
        "hybrids",
        synthetic(0.9),
        "GLEU correlates best with people over systems and synthetic systems (r = 0.90)",
    ),
    ("new-metric", new_metric(), "There is no other metric to compare with"),
    (
        "new-metric",
        new_metric(accuracy=("m2", True, 0.01), spa=("m2", True, 0.02)),
        "GLEU agrees with people better than M2 (MaxMatch) by sentence and by system",
    ),
    (
        "new-metric",
        new_metric(accuracy=("m2", False, 0.01), spa=("chrf", False, 0.2)),
        "GLEU agrees with people less than M2 (MaxMatch) by sentence, and neither clearly better nor "
        "worse than chrF++ by system",
    ),
    (
        "new-metric",
        new_metric(pearson=("m2", True, None)),
        "GLEU agrees with people neither clearly better nor worse than M2 (MaxMatch) by system",
    ),
    ("metric-causes", changed(None), "GLEU cannot be correlated with people"),
    ("metric-causes", changed(0.3), "No change moves GLEU’s r of 0.30 with people beyond chance"),
    (
        "metric-causes",
        changed(0.3, (Cause.TIES, 0.35), (Cause.BETTER, 0.1)),
        "GLEU’s r of 0.30 with people changes most among the 6 best systems: to 0.10",
    ),
    (
        "metric-causes",
        changed(0.3, (Cause.ONE_LEFT_OUT, 0.76)),
        "GLEU’s r of 0.30 with people changes most without Alder: to 0.76",
    ),
    *(
        (
            "metric-causes",
            changed(0.3, (cause, 0.4)),
            f"GLEU’s r of 0.30 with people changes most {how}: to 0.40",
        )
        for cause, how in (
            (Cause.PEOPLE, "without people’s errors"),
            (Cause.METRIC, "without the metric’s errors"),
            (Cause.BOTH, "without the errors of people and metric"),
            (Cause.SPREAD, "if systems spread as stated"),
            (Cause.WORSE, "among the 6 worst systems"),
            (Cause.SOURCE, "with the source as a system"),
            (Cause.REFERENCES, "with references as systems"),
            (Cause.TIES, "with ties as half a win"),
            (Cause.NATURAL, "on text as people write it"),
        )
    ),
    ("metric-sweep", swept(None), "GLEU cannot be correlated with people"),
    ("metric-sweep", swept(0.5), "GLEU correlates best with people at n = 0.5"),
    ("metric-sweep", swept(0.5, 0.1, 2), "GLEU correlates best with people at n = 0.5 (0.1 to 2)"),
    ("learned-mterater", ordering({}), "No metric orders the judged pairs"),
    (
        "learned-mterater",
        ordering({"gleu": 0.4, "MTeRater": 0.3}),
        "On held-out sentences, GLEU agrees best with people (τ = 0.40)",
    ),
    (
        "learned-mterater",
        ordering({"gleu": 0.4, "all without text": 0.5}),
        "On held-out sentences, a model of all features without text agrees best with people (τ = 0.50)",
    ),
    (
        "learned-mterater",
        ordering({"gleu": 0.4, "MTeRater": 0.45}, p=0.6),
        "On held-out sentences, MTeRater agrees best with people (τ = 0.45), but not clearly better than "
        "GLEU alone (0.40)",
    ),
    (
        "learned-mterater",
        ordering({"gleu": 0.4, "MTeRater": 0.55}, p=0.001),
        "On held-out sentences, MTeRater agrees best with people (τ = 0.55), clearly better than GLEU alone "
        "(0.40)",
    ),
    (
        "coverage",
        curve(0.2),
        "Against 1 reference, a perfect corrector would match in 20 % of the sentences",
    ),
    (
        "coverage",
        curve(0.2, 0.3, 0.4, 0.756, answers=2.5),
        "Against 2 references, a perfect corrector would match in 30 % of the sentences; against 4, in 76 %",
    ),
    (
        "oracle-reranking",
        candidates(2.0, 2.5),
        "Picked against 10 references, the best candidates change more words than against one: 2.50 against "
        "2.00 per sentence",
    ),
    (
        "oracle-reranking",
        candidates(2.0, 2.1),
        "Picked against 10 references, the best candidates change about as many words as against one: 2.10 "
        "against 2.00 per sentence",
    ),
    (
        "learned-gmeg",
        learned(None, 0.5),
        "The learned metric cannot be correlated with people on held-out sentences",
    ),
    (
        "learned-gmeg",
        learned(0.914, 0.9),
        "On held-out sentences, GMEG-Metric agrees better with people (r = 0.91) than the best single "
        "metric, GLEU (0.90)",
    ),
    (
        "learned-gmeg",
        learned(0.801, 0.9),
        "On held-out sentences, GLEU alone agrees better with people (r = 0.90) than GMEG-Metric (0.80)",
    ),
    (
        "machine-judges",
        Made(reason="Nobody has compared two outputs yet"),
        "Nobody has compared two outputs yet",
    ),
    ("machine-judges", judged_here(), "No machine has judged here, and no metric has scores"),
    (
        "machine-judges",
        judged_here(judges(JudgeKind.MACHINE, (7, 9)), judges(JudgeKind.BASELINE, (9, 9))),
        "machine 1 may stand in for one more annotator of this kind (winning rate .78, epsilon .15)",
    ),
    (
        "machine-judges",
        judged_here(judges(JudgeKind.MACHINE, (7, 9), (1, 9), (9, 9))),
        "machine 1 and machine 3 may stand in for one more annotator of this kind (winning rates .78 and 1, "
        "epsilon .15)",
    ),
    (
        "machine-judges",
        judged_here(judges(JudgeKind.MACHINE, *[(5, 8)] * 40)),
        "machine 1, machine 2 and 38 others may stand in for one more annotator of this kind (winning rates "
        "from .62, epsilon .15)",
    ),
    (
        "machine-judges",
        judged_here(judges(JudgeKind.MACHINE, (2, 8))),
        "No machine may stand in for an annotator, because machine 1 beats 2 of 8 annotators (winning rate "
        ".25, epsilon .15)",
    ),
    (
        "machine-judges",
        judged_here(judges(JudgeKind.MACHINE, (2, 8), (3, 8), "it answered few")),
        "No machine may stand in for an annotator, because the best, machine 2, beats 3 of 8 annotators "
        "(winning rate .38, epsilon .15)",
    ),
    (
        "machine-judges",
        judged_here(judges(JudgeKind.MACHINE, "there are two annotators")),
        "Whether a machine may stand in for an annotator is not tested: there are two annotators",
    ),
    (
        "machine-judges",
        judged_here(judges(JudgeKind.METRIC, (0, 8))),
        "No machine has judged here; no metric may stand in for an annotator, because metric 1 beats 0 of 8 "
        "annotators (winning rate .00, epsilon .15)",
    ),
    (
        "learned-gmeg",
        learned(0.901, 0.902),
        "On held-out sentences, GMEG-Metric agrees with people as well as GLEU alone (r = 0.90)",
    ),
)
"""The name of an analysis, what its result holds, and the heading."""

PARAMETERS = {
    "machine-judges": MachineJudgesParameters(),
    "fragility": FragilityParameters(),
    "perfect-corrector": PerfectCorrectorParameters(),
}


@pytest.mark.parametrize(
    ("name", "result", "expected"), MADE, ids=[f"{name}: {said}" for name, _, said in MADE]
)
def test_an_analysis(name: str, result: Any, expected: str) -> None:
    said = heading(name, result, PARAMETERS.get(name), figure=ACCURACY, metric="gleu")
    assert said.replace("\N{NO-BREAK SPACE}", " ") == expected


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (points((1, None)), "GLEU scores no sentence"),
        (points((1, 0.5)), "Against 1 reference, a perfect corrector would score 0.500 by GLEU"),
        (
            points((1, 0.5), (5, 0.7), (10, 0.8)),
            "By GLEU, a perfect corrector would score 0.500 against 1 reference and 0.800 against "
            "10 references",
        ),
    ],
)
def test_a_perfect_corrector(result: Any, expected: str) -> None:
    assert heading("perfect-corrector", result, Made(metric="gleu")) == expected


@pytest.mark.parametrize(
    ("best", "campaigns", "simulated", "expected"),
    [
        (0, 1, 0, "Fewer than two metrics have Pearson’s r in every campaign"),
        (1, 1, 0, "S1 has the highest Pearson’s r in GJG15"),
        (2, 1, 1, "S1 and S2 have the highest Pearson’s r in GJG15, which is simulated"),
        (3, 2, 0, "S1, S2 and S3 have the best mean rank by Pearson’s r over 2 campaigns"),
        (1, 2, 1, "S1 has the best mean rank by Pearson’s r over 2 campaigns, one of which is simulated"),
        (1, 3, 3, "S1 has the best mean rank by Pearson’s r over 3 campaigns, three of which are simulated"),
        (15, 40, 0, "S1, S2 and 13 others have the best mean rank by Pearson’s r over 40 campaigns"),
    ],
)
def test_compared_metrics(best: int, campaigns: int, simulated: int, expected: str) -> None:
    rows = [(name, Made(mean=1.5 if place < best else None)) for place, name in enumerate(MANY)]
    compared = [
        Made(campaign=Campaign(name="GJG15", synthetic=place < simulated)) for place in range(campaigns)
    ]
    shown: Any = Made(rows=rows, with_result=compared, figure="pearson")
    assert compare_metrics.headline(shown) == expected


def test_every_analysis_is_here() -> None:
    known = {name for name, each in analyses().items() if not each.parameters.__module__.startswith("tests.")}
    assert {name for name, *_ in MADE} | {"ranking", "perfect-corrector"} == known
