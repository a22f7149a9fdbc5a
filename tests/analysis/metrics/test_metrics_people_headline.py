"""The heading of *Metrics against people* says what its claim depends on."""

from types import SimpleNamespace
from typing import Any

import pytest

from analysis.analyses.metrics.metric_parts import BOOTSTRAP, about_mark
from analysis.analyses.metrics.metrics_people_page import _while
from analysis.analyses.metrics.metrics_people_tables import about_order
from core.names import Naming

PEOPLE = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0, "e": 5.0}
AS_PEOPLE = dict(PEOPLE)


def said(people: dict[str, float], **metrics: dict[str, float]) -> str:
    result: Any = SimpleNamespace(
        systems=people, metrics={name: SimpleNamespace(scores=scores) for name, scores in metrics.items()}
    )
    return _while(result, "gleu", Naming("", {"input": "INPUT"}, {"input": "source"}, {}))


def test_a_first_place_that_stays_is_said_as_it_is() -> None:
    assert said(PEOPLE, gleu=AS_PEOPLE, sari={**AS_PEOPLE, "a": 5.0}) == ""


def test_one_system_that_makes_a_metric_first_is_named_with_the_metric_that_would_be() -> None:
    """GLEU tells the source from the others, and SARI the others from each other."""
    people = {**PEOPLE, "input": -30.0}
    gleu = {"a": 3.0, "b": 1.0, "c": 5.0, "d": 2.0, "e": 4.0, "input": -30.0}
    sari = {**AS_PEOPLE, "input": 3.0}
    assert said(people, gleu=gleu, sari=sari) == ", but only while INPUT counts: without it, SARI does"


def compared(r: dict[str, float], p: list[float | None]) -> Any:
    """Metrics with this r, and the p-value of the first against each."""
    metrics = {name: SimpleNamespace(pearson=SimpleNamespace(value=value)) for name, value in r.items()}
    tests = SimpleNamespace(metrics=tuple(r), holm=[p])
    return SimpleNamespace(metrics=metrics, tests={BOOTSTRAP: tests})


def test_a_metric_of_low_r_that_is_not_separated_is_explained() -> None:
    r = {"gleu": 0.7, "sari": 0.55, "index-match": 0.06}
    told = about_order(compared(r, [None, 0.01, 0.2]))
    assert told.startswith(
        "Index match (0.06) is not marked as clearly below the highest r although SARI (0.55) is: "
    )
    assert told.endswith("and that of the former varies more.")
    assert about_order(compared(r, [None, 0.2, 0.01])) == "", "the lower one is separated"
    assert about_order(compared(r, [None, 0.2, 0.2])) == "", "none is"


def test_the_mark_is_defined_with_the_number_of_pairs_where_there_is_one() -> None:
    r = {"gleu": 0.7, "sari": 0.55, "chrf": 0.5}
    holm: list[list[float | None]] = [[None, 0.01, 0.2], [1.0, None, 0.3], [1.0, 0.9, None]]
    tests: Any = SimpleNamespace(metrics=tuple(r), holm=holm)
    assert about_mark(r, tests) == (
        " *Clearly below* the highest r: p ≤ 0.05 after correction for 3 pairs of metrics (Holm)."
    )
    holm[0][1] = 0.06
    assert about_mark(r, tests) == ""


@pytest.mark.parametrize("first", ["chrf", "bleu"])
def test_of_another_metric_nothing_is_said(first: str) -> None:
    assert said(PEOPLE, **{first: AS_PEOPLE, "gleu": {**AS_PEOPLE, "a": 5.0}}) == ""
