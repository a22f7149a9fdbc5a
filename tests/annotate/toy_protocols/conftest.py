"""Fixtures of the interface of protocols."""

from collections.abc import Iterator
from typing import Any

import pytest

from annotate.models import Corpus
from tests.annotate.samples import small_corpus
from tests.annotate.toy_protocols.cases import CASES, Case
from tests.annotate.toys import BetterOfTwo, TwoVersions, Verdict, registered


@pytest.fixture(autouse=True)
def toys() -> Iterator[None]:
    with registered(*(case.protocol for case in CASES)):
        yield


def _parameter(case: Case) -> Any:
    """The two real protocols store the same parts as the toys, so that one database is enough for them."""
    is_toy = isinstance(case.protocol, BetterOfTwo | TwoVersions | Verdict)
    return pytest.param(case, id=case.protocol.name, marks=() if is_toy else pytest.mark.any_database)


@pytest.fixture(params=map(_parameter, CASES))
def case(request: pytest.FixtureRequest) -> Case:
    one: Case = request.param
    return one


@pytest.fixture
def corpus() -> Corpus:
    return small_corpus()
