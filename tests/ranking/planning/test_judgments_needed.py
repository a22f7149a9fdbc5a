"""How many more judgments settle the order of two systems."""

from collections.abc import Callable
from math import inf

import numpy as np

from ranking import Watched, WatchedPair, judgments_until_settled, watch
from tests.depth import examples
from tests.ranking.frames import snapshot
from tests.ranking.planning.test_watching import campaign

PLANNED = 300
PILOT = 100


def best_two(watched: Watched) -> WatchedPair | None:
    return next((pair for pair in watched.pairs if {pair.above, pair.below} == {"A", "B"}), None)


def needed(watched: Watched, pair: WatchedPair) -> float:
    """How many judgments after the pilot settled the pair; infinite if none of them did."""
    settled = np.abs(pair.difference) > pair.standard_error * watched.anytime
    later = watched.judgments[settled & (watched.judgments > PILOT)]
    return later[0] - PILOT if len(later) else inf


def test_systems_are_settled_within_the_interval_in_nine_of_ten_campaigns(
    record_property: Callable[[str, object], None],
) -> None:
    """Campaigns go on to 900 judgments; an interval that ends beyond holds what comes later."""
    asked = inside = 0
    for seed in range(examples(200)):
        whole = campaign(np.array([1.5, 0.6, -0.6, -1.5]), sentences=900, judges=1, seed=seed)
        begun = whole["judgment"].isin(whole["judgment"].unique()[:PILOT])
        pilot, ended = watch(whole[begun], looks=2, planned=PLANNED), watch(whole, looks=90, planned=PLANNED)
        pair, later = best_two(pilot), best_two(ended)
        if pair is None or later is None or pair.settled_at is not None:
            continue
        told = judgments_until_settled(pilot, pair, seed=seed)
        took = needed(ended, later)
        asked += 1
        inside += (told.low or inf) <= took <= (told.high or inf) or (took == inf and told.high is None)
    record_property("predictions", asked)
    record_property("right predictions", int(inside))
    assert asked > 0.4 * examples(200)
    assert inside >= 0.9 * asked


def test_a_settled_pair_needs_none_and_an_unknown_one_has_a_reason() -> None:
    clear = watch(campaign(np.array([3.0, 0.0, 0.0, -3.0]), sentences=200, judges=1, seed=1), planned=PLANNED)
    told = judgments_until_settled(clear, clear.pairs[0])
    assert (told.low, told.median, told.high, told.reason) == (0, 0, 0, None)
    few = watch(snapshot(("anna", 0, "A > B"), ("anna", 1, "A > B"), ("anna", 2, "B > A")))
    told = judgments_until_settled(few, few.pairs[0])
    assert (told.median, told.reason) == (None, "too few sentences say which is better")
    unknown = watch(snapshot(("anna", 0, "A > B"), ("anna", 1, "A = C")))
    assert judgments_until_settled(unknown, unknown.pairs[1]).reason == "one of the two has no score yet"


def test_the_same_seed_gives_the_same_numbers_in_order() -> None:
    begun = watch(campaign(np.array([0.4, 0.0, 0.0, -0.4]), sentences=120, judges=1, seed=5), planned=PLANNED)
    told = [judgments_until_settled(begun, begun.pairs[0], seed=seed) for seed in (1, 1, 2)]
    assert told[0] == told[1] != told[2]
    assert (told[0].low or 0) <= (told[0].median or inf) <= (told[0].high or inf)
