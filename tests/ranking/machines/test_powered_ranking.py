"""Prediction-powered rankings: what is refused, what people alone give, and how often intervals hold."""

import numpy as np
import pandas as pd
import pytest

from ranking import Method, count_pairs, expected_wins
from ranking.machines import PoweredRanking, Tuning, prediction_powered_ranking
from tests.depth import DEEP
from tests.ranking.machines.campaigns import MACHINES, SYSTEMS, Campaign, campaign, coverage

METHODS = (Method.EXPECTED_WINS, Method.BRADLEY_TERRY)
DESIGNS = {
    "a sample": Campaign(),
    "two judges of each": Campaign(asked=60, judges=2),
    "unequal sampling": Campaign(is_sample=False),
}


def scores(ranking: PoweredRanking, *, by_people: bool = False) -> dict[str, float]:
    found = {each.system: each.people if by_people else each.powered for each in ranking.systems}
    return {system: score.score for system, score in found.items() if score is not None}


def test_people_alone_have_the_expected_wins_of_their_judgments() -> None:
    people, machine = campaign(Campaign(), 1)
    ranking = prediction_powered_ranking(people, machine)
    own = {each.system: each.score for each in expected_wins(count_pairs(people)).scores}
    assert scores(ranking, by_people=True) == pytest.approx(own)
    assert ranking.judgments == ranking.people_sentences == people["sentence"].nunique()
    assert ranking.machine_sentences == 500 - ranking.people_sentences


@pytest.mark.parametrize("method", METHODS)
def test_a_good_machine_is_worth_judgments_and_a_harmful_one_none(method: Method) -> None:
    people, good = campaign(Campaign(), 1)
    ranking = prediction_powered_ranking(people, good, method)
    assert ranking.width is not None
    assert ranking.width < 0.98
    assert ranking.worth is not None
    assert ranking.worth > ranking.judgments
    people, harmful = campaign(Campaign(machine="harmful"), 1)
    ranking = prediction_powered_ranking(people, harmful, method)
    assert (ranking.weight, ranking.width, ranking.worth) == (0, 1, ranking.judgments)
    assert scores(ranking) == pytest.approx(scores(ranking, by_people=True))


@pytest.mark.parametrize("method", METHODS)
def test_lambda_0_is_people_alone_and_sentences_may_have_any_ids(method: Method) -> None:
    people, machine = campaign(Campaign(), 1)
    alone = prediction_powered_ranking(people, machine, method, tuning=Tuning.PEOPLE)
    assert scores(alone) == scores(alone, by_people=True)
    other = prediction_powered_ranking(
        people.assign(sentence=999 - people["sentence"]),
        machine.assign(sentence=999 - machine["sentence"]),
        method,
        tuning=Tuning.TUNED,
    )
    same = prediction_powered_ranking(people, machine, method, tuning=Tuning.TUNED)
    assert scores(other) == pytest.approx(scores(same))


def test_what_cannot_be_computed_is_said() -> None:
    people, machine = campaign(Campaign(), 1)
    few = people[people["sentence"].isin(people["sentence"].unique()[:29])]
    refused = prediction_powered_ranking(few, machine)
    assert refused.reason == "people judged 29 sentences, fewer than 30"
    assert all(each.powered is None and each.reason == refused.reason for each in refused.systems)
    judged_too = machine[machine["sentence"].isin(people["sentence"])]
    assert prediction_powered_ranking(people, judged_too).reason == (
        "the machine judged no sentences beyond those of people"
    )
    elsewhere = machine.assign(sentence=machine["sentence"] + 10_000)
    assert prediction_powered_ranking(people, elsewhere).reason == (
        "the machine judged nothing that people judged"
    )
    first = people["systems"] == ("A",)
    best = people.assign(rank=people["rank"].where(~first, 0))
    assert prediction_powered_ranking(best, machine).reason is None
    assert prediction_powered_ranking(best, machine, Method.BRADLEY_TERRY).reason == (
        "people's wins do not link all systems both ways, so that strengths have no bounds"
    )
    with pytest.raises(ValueError, match="trueskill is not prediction-powered: choose ew or bradley-terry"):
        prediction_powered_ranking(people, machine, Method.TRUESKILL)


def test_systems_that_people_did_not_compare_have_no_score_or_do_not_occur() -> None:
    people, machine = campaign(Campaign(), 1)
    others = people["systems"] != ("E",)
    ranking = prediction_powered_ranking(people[others], machine)
    assert {each.system for each in ranking.systems} == set(SYSTEMS) - {"E"}
    alone = people[~others].assign(judgment=lambda rows: "alone " + rows["judgment"])
    ranking = prediction_powered_ranking(pd.concat([people[others], alone]), machine)
    assert ranking.systems[-1].reason == "no comparison of it by people was decided"


def test_a_machine_that_judged_a_sentence_twice_counts_once() -> None:
    people, machine = campaign(Campaign(), 1)
    twice = pd.concat([machine, machine.assign(judgment="again " + machine["judgment"])])
    assert scores(prediction_powered_ranking(people, twice)) == pytest.approx(
        scores(prediction_powered_ranking(people, machine))
    )


def test_strengths_without_a_maximum_are_one_step_from_those_of_people() -> None:
    """With a lambda that is far too large, some corrected totals are more than a system can win."""
    people, machine = campaign(Campaign(asked=60), 2)
    ranking = prediction_powered_ranking(people, machine, Method.BRADLEY_TERRY, tuning=12.0)
    assert np.isfinite(list(scores(ranking).values())).all()


@pytest.mark.slow
@pytest.mark.parametrize(("machine", "method"), list(zip(MACHINES, (*METHODS, METHODS[0]), strict=True)))
def test_intervals_hold_in_a_few_campaigns(machine: str, method: Method) -> None:
    held = coverage(Campaign(machine=machine, is_sample=machine != "useless"), method, 8)
    assert held.powered >= 0.75
    assert held.ranks >= 0.75
    assert (held.weight > 0.1) == (machine == "good")


@pytest.mark.deep
@pytest.mark.skipif(not DEEP, reason="500 campaigns each")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("design", DESIGNS)
def test_intervals_hold_in_93_to_97_of_100_campaigns(design: str, machine: str, method: Method) -> None:
    of = DESIGNS[design]
    held = coverage(
        Campaign(of.sentences, of.asked, of.judges, machine=machine, is_sample=of.is_sample), method, 500
    )
    assert 0.93 <= held.powered <= 0.97
    assert held.ranks >= 0.95
    assert held.width < 1.01
    assert held.weight < 0.05 or machine == "good"
