"""The sample, once for all tests of learned metrics."""

import pytest

from metrics.learned.gmeg import Domain
from tests.metrics.learned.samples import Sample, sample


@pytest.fixture(scope="session")
def small() -> Sample:
    return sample()


@pytest.fixture(scope="session")
def domains(small: Sample) -> tuple[Domain, Domain]:
    """Two domains of other sentences."""
    return small.domain("first"), sample(50, seed=1).domain("second")
