import os
from pathlib import Path

import pytest
from django.conf import settings

REQUIRE_ALL = os.environ.get("REQUIRE_ALL_TESTS") == "1"


def unavailable(reason: str) -> None:
    """Skip the test for want of a resource; fail it where every test is required."""
    if REQUIRE_ALL:
        pytest.fail(f"{reason} (REQUIRE_ALL_TESTS=1)")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """The folder of public reference data."""
    folder: Path = settings.REFERENCE_DATA
    if not folder.is_dir():
        unavailable(f"no reference data in {folder}; name its folder by REFERENCE_DATA")
    return folder
