"""Machine judges: the alternative annotator test, worked examples of PPI++, and rank sets of language models.

Calderon et al. 2025 release labels, and a notebook that prints two digits of the figures here. All figures
were computed by independent programs; those of prediction-powered inference agree with the released programs
ppi_py and glide. Rank sets (Chatzi et al. 2024) are of a slice of the released comparisons; the covariances
of the released program are too small (`WHY_TOO_SMALL`).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analysis.reproduction.cells import OurFigures, Published, Table, compare, printed
from analysis.reproduction.paper import Paper
from analysis.reproduction.public_data.machine_judges_data import MachineJudges
from ranking.machines import (
    Powered,
    Spread,
    Tallies,
    Tuning,
    Units,
    actively_sampled_mean,
    alternative_annotator_test,
    answers_of_values,
    baseline_values,
    chi_square_quantile,
    contests_over_pairs,
    prediction_powered_means,
    prediction_powered_ratios,
    rank_sets,
    stratified,
)
from ranking.machines.powered_scores import powered_bradley_terry
from ranking.machines.sentence_shares import SystemPairs

EPSILON = {"wax": 0.1, "10k_prompts": 0.15}
EPSILON_OF_RANKINGS = 0.15
CURVE = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)

AS_RELEASED = "as released"
WHY_TOO_SMALL = (
    "the program divides by the square of all comparisons, although each of K models takes part in 2 of K of "
    "them, so that its standard errors are too small by K / 2"
)

TIES = {"ties lose for both": 0.0, "ties are half a win": 0.5}
INDEPENDENT = "by an independent program"
DIGITS = 1e-6
"""One unit of the last of six digits, as the figures compared with are rounded."""

WHO = ("human", "machine", "machine_only")
SYSTEMS = ("A", "B", "C")
TUNINGS = {"people": Tuning.PEOPLE, "lambda 1": Tuning.PLAIN, "tuned": Tuning.TUNED}


def winning_rates(data: MachineJudges) -> Table:
    """36 cells: people beaten, winning rate and advantage probability of each model."""
    ours: OurFigures = {}
    for name, machines in data.contests.items():
        for machine, contests in machines.items():
            test = alternative_annotator_test(contests, EPSILON[name])
            ours[f"{name} {machine} people beaten"] = test.beaten
            ours[f"{name} {machine} winning rate"] = test.winning_rate
            ours[f"{name} {machine} advantage probability"] = test.advantage_probability
    return compare(printed("machine-judges", "alt-test"), ours)


def people(data: MachineJudges) -> Table:
    """GPT-4o against each person of wax."""
    ours: OurFigures = {}
    for each in alternative_annotator_test(data.contests["wax"]["gpt-4o"], EPSILON["wax"]).people:
        ours |= {
            f"{each.person} items": each.instances,
            f"{each.person} machine wins": each.machine_advantage,
            f"{each.person} person wins": each.person_advantage,
            f"{each.person} t": each.statistic,
            f"{each.person} p": each.p_value,
            f"{each.person} beaten": "yes" if each.is_beaten else "no",
        }
    return compare(printed("machine-judges", "people"), ours)


def over_epsilon(data: MachineJudges) -> Table:
    """35 cells: people beaten by five machines over epsilon."""
    published = printed("machine-judges", "epsilon")
    ours: OurFigures = {
        f"{name} {machine} {epsilon:g}": alternative_annotator_test(contests, epsilon).beaten
        for name, machines in data.contests.items()
        for machine, contests in machines.items()
        for epsilon in CURVE
    }
    return compare(published, ours)


def baselines(data: MachineJudges) -> Table:
    """32 cells: judges without a model against the people of two public sets of rankings."""
    ours: OurFigures = {}
    for name, judged in data.rankings.items():
        for judge, values in baseline_values(judged.sources, judged.outputs).items():
            answers = answers_of_values(judged.pairs, values, sentences=judged.sentences)
            for rule, half_ties in (("strict", False), ("half ties", True)):
                contests = contests_over_pairs(judged.pairs, answers, half_ties=half_ties)
                test = alternative_annotator_test(contests, EPSILON_OF_RANKINGS)
                ours[f"{name} {judge}, {rule}: people beaten"] = test.beaten
                ours[f"{name} {judge}, {rule}: advantage probability"] = test.advantage_probability
    return compare(printed("machine-judges", "baselines"), ours)


def means(data: MachineJudges) -> Table:
    """Worked examples of prediction-powered means: plain, of clusters, by strata, and actively sampled."""
    verdict, two = data.examples["mean of a binary verdict"], data.examples["mean, two and two"]
    clusters = data.examples["clustered: means of sentences are the units"]
    strata, active = data.examples["stratified"], data.examples["active"]
    cells: Table = {}
    for divisor, ddof in (("n (as in aangelopoulos/ppi_py)", 0), ("n - 1 (as in EmertonData/glide)", 1)):
        for name, expected in verdict[f"variances over {divisor}"].items():
            values = {who: [int(each) for each in verdict[who]] for who in WHO}
            powered = _mean(values, TUNINGS[name], ddof=ddof)
            cells |= _compared(f"verdict, over {divisor}: {name}", expected, powered)
    cells |= _compared("two and two", two["tuned"], _mean(two))
    of_clusters = {who: np.mean(clusters[who], axis=1) for who in WHO}
    cells |= _compared("clusters", clusters["tuned"], _mean(of_clusters))
    parts = [_mean(stratum, clip=False) for stratum in strata["strata"]]
    expected = dict(strata["tuned, lambda not clipped"])
    for number, (part, weight) in enumerate(zip(parts, expected.pop("lambda"), strict=True), start=1):
        cells[f"strata: lambda of stratum {number}"] = _figure(weight).cell(part.weight)
    cells |= _compared("strata", expected, stratified(parts, strata["weights"]))
    people = [np.nan if value is None else value for value in active["human"]]
    for name, tuning in TUNINGS.items():
        powered = actively_sampled_mean(people, active["machine"], active["inclusion_probability"], tuning)
        cells |= _compared(f"active: {name}", active[name], powered)
    return cells


def rates_and_strengths(data: MachineJudges) -> Table:
    """Worked examples with sentences as units: a win rate, and Bradley-Terry strengths."""
    rate = data.examples["win rate, unequal comparisons per sentence"]
    strengths = data.examples["Bradley-Terry strengths (sum 0), sentences as units"]
    both, only = rate["sentences with people"], rate["sentences with the machine only"]
    units = Units(
        Tallies.of_arrays(both["wins by people"], both["comparisons"]),
        Tallies.of_arrays(both["wins by machine"], both["comparisons"]),
        Tallies.of_arrays(only["wins by machine"], only["comparisons"]),
    )
    cells: Table = {}
    for name, tuning in TUNINGS.items():
        powered = prediction_powered_ratios(units, tuning, spread=Spread.OWN_MEANS)
        cells |= _compared(f"win rate: {name}", rate[name], powered)
    people, machine, others = (_pairs_won(strengths[who]) for who in WHO)
    units = Units(people, machine, others)
    for name, tuning in TUNINGS.items():
        powered = powered_bradley_terry(SystemPairs(SYSTEMS), units, tuning, 0, Spread.POOLED)
        expected = strengths[name]
        cells[f"strengths: {name} lambda"] = _figure(expected["lambda"]).cell(powered.weight)
        for place, system in enumerate(SYSTEMS):
            for kind, ours in (("strengths", powered.estimates), ("se", powered.errors)):
                figure = _figure(expected[kind][place])
                cells[f"strengths: {name} {kind} of {system}"] = figure.cell(float(ours[place]))
    return cells


def rank_sets_of_models(data: MachineJudges) -> Table:
    """Estimates, standard errors and rank sets of 12 language models, with both rules for ties.

    Lambda is that of the released program: the covariance over the variance of the machine on its own
    comparisons.
    """
    cells: Table = {}
    for name, tie in TIES.items():
        units, expected = data.comparisons.units(tie), data.rank_sets[name]
        weight = _released_weight(units)
        cells[f"{name}: lambda"] = _figure(expected["lambda"]).cell(weight)
        for which, tuning in (("people", 0.0), ("prediction_powered", weight)):
            powered = prediction_powered_ratios(units, tuning, ddof=0)
            for variance in ("corrected covariance", AS_RELEASED):
                narrowed = (len(data.comparisons.models) / 2) ** 2 if variance == AS_RELEASED else 1
                covariance = powered.covariance / narrowed
                low, high = rank_sets(
                    powered.estimates, covariance, chi_square_quantile(len(data.comparisons.models))
                )
                errors = np.sqrt(np.diag(covariance))
                for place, model in enumerate(data.comparisons.models):
                    figures = (powered.estimates[place], errors[place], low[place], high[place])
                    named = zip(("score", "error", "from", "to"), figures, strict=True)
                    for (kind, ours), theirs in zip(named, expected[variance][model][which], strict=True):
                        cell = _figure(theirs).cell(ours.item())
                        cells[f"{name}, {variance}, {which}: {model} {kind}"] = cell
    return cells


def _mean(
    example: Mapping[str, Any], tuning: Tuning = Tuning.TUNED, *, clip: bool = True, ddof: int = 1
) -> Powered:
    people, machine, others = (example[who] for who in WHO)
    return prediction_powered_means(people, machine, others, tuning, clip=clip, ddof=ddof)


def _pairs_won(sentences: Sequence[str]) -> Tallies:
    """One comparison of each pair of systems in each sentence, such as "110"."""
    won = np.array([[int(each) for each in sentence] for sentence in sentences])
    return Tallies.of_arrays(won, np.ones(won.shape))


def _compared(name: str, expected: Mapping[str, float], powered: Powered) -> Table:
    """The figures of a single estimate beside those expected."""
    low, high = powered.intervals()
    ours = {
        "lambda": powered.weight,
        "estimate": float(powered.estimates[0]),
        "se": float(powered.errors[0]),
        "low": float(low[0]),
        "high": float(high[0]),
    }
    return {f"{name} {kind}": _figure(figure).cell(ours[kind]) for kind, figure in expected.items()}


def _figure(figure: float) -> Published:
    """A figure of six digits by another program; ranks are equal."""
    return Published(figure, 0.0 if isinstance(figure, int) else DIGITS, INDEPENDENT)


def _released_weight(units: Units) -> float:
    """Lambda by the released program: covariances over the variance on comparisons of the machine only."""
    people, machine, others = (
        each.influences.toarray() for each in (units.people, units.machine, units.others)
    )
    n, others_n = len(people), len(others)
    variance = float((others**2).sum()) / others_n
    return float((people * machine).sum()) / n / ((1 + n / others_n) * variance)


PAPER = Paper(
    data=MachineJudges,
    tables={
        "alternative annotator test": winning_rates,
        "people": people,
        "over epsilon": over_epsilon,
        "baselines": baselines,
        "means": means,
        "rates and strengths": rates_and_strengths,
        "rank sets": rank_sets_of_models,
    },
    progress="Testing machines",
    steps={},
    remarks={"rank sets": f"{AS_RELEASED!r}: {WHY_TOO_SMALL}"},
)
