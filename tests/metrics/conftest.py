from pathlib import Path

import pytest

from tests.metrics.reference_data import CoNLL14


@pytest.fixture(scope="session")
def conll14(reference_data: Path) -> CoNLL14:
    """The CoNLL-2014 test set."""
    return CoNLL14(reference_data / "conll14")
