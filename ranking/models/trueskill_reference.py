"""TrueSkill by the package `trueskill`: the reference for `ranking.models.trueskill`, and rankings of more
than two.

Comparisons are played one after the other, each some hundred microseconds long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, pi, sqrt

import trueskill

from core.later import pd, special
from ranking.judgments.grouped_pairs import GroupedPairs
from ranking.judgments.snapshot import ranked_outputs, system_names
from ranking.models.trueskill import Skill, TrueSkillParameters, wmt_parameters

MOST_PLAYERS = 5
"""WMT's rankings have five systems (Sakaguchi et al. 2014). A larger one is better taken apart into pairs."""


def rate_pairs(
    pairs: GroupedPairs, parameters: TrueSkillParameters, *, exact: bool = True
) -> Mapping[str, Skill]:
    """The skill of each system after all pairs, in their order.

    With `exact`, the package is given exact normal distributions; else it takes its own approximations, which
    are off by up to 3e-8.
    """
    size = len(pairs.systems)
    games = []
    for code in pairs.codes.tolist():
        row, second = divmod(code, size)
        games.append(((row % size, second), (0, 0) if row >= size else (0, 1)))
    return _rated(pairs.systems, games, parameters, exact=exact)


def rate_rankings(
    snapshot: pd.DataFrame, parameters: TrueSkillParameters | None = None
) -> Mapping[str, Skill]:
    """The skill of each system after all rankings, in the order of the snapshot, each a free-for-all.

    Systems that share an output tie; a ranking of one system alone is no game. Without `parameters`, those of
    WMT for this number of rankings.

    Raises ValueError for a ranking of more than `MOST_PLAYERS` systems, which it names, and `SnapshotError`
    as `ranking.ranked_outputs` does.
    """
    systems = system_names(snapshot)
    numbers = {system: number for number, system in enumerate(systems)}
    games = []
    outputs = ranked_outputs(snapshot).explode("systems")
    for judgment, ranking in outputs.groupby("judgment", sort=False, observed=True):
        if len(ranking) > MOST_PLAYERS:
            raise ValueError(
                f"judgment {judgment} ranks {len(ranking)} systems: a free-for-all has at most {MOST_PLAYERS}"
            )
        if len(ranking) > 1:
            games.append((ranking["systems"].map(numbers).tolist(), ranking["rank"].tolist()))
    return _rated(systems, games, parameters or wmt_parameters(len(games)), exact=True)


def _rated(
    systems: Sequence[str],
    games: Sequence[tuple[Sequence[int], Sequence[int]]],
    parameters: TrueSkillParameters,
    *,
    exact: bool,
) -> Mapping[str, Skill]:
    environment = trueskill.TrueSkill(
        mu=0.0,
        sigma=parameters.sigma,
        beta=parameters.beta,
        tau=0.0,
        draw_probability=parameters.draw_probability,
        backend=(special.ndtr, _density, special.ndtri) if exact else None,
    )
    ratings = [environment.create_rating() for _ in systems]
    for players, ranks in games:
        teams = environment.rate([(ratings[player],) for player in players], ranks=ranks)
        for player, (rating,) in zip(players, teams, strict=True):
            ratings[player] = rating
    return {system: Skill(rating.mu, rating.sigma) for system, rating in zip(systems, ratings, strict=True)}


def _density(x: float) -> float:
    return exp(-0.5 * x * x) / sqrt(2 * pi)
