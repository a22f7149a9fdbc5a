"""The examples of the page *Machine judges* run."""

import doctest

from django.conf import settings


def test_the_examples_run() -> None:
    page = settings.BASE_DIR / "docs" / "machine-judges.md"
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted
    assert not result.failed
