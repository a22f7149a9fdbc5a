"""Pages leave as much room for a figure as it took when it was drawn."""

from pathlib import Path
from uuid import uuid4

import pytest
from django.template import Context, Template
from pytest_django import Settings

from annotate.web.figure_sizes import SIZES, USUAL, Size, remember_size, size_of

FIGURE = b'<svg class="marks" width="683.4" height="320" viewBox="0 0 683 320"><rect width="7"/></svg>'
PAGE = f"/campaigns/{uuid4()}/analyses/stopping/sweep.svg"


@pytest.fixture(autouse=True)
def nothing_was_drawn(settings: Settings, tmp_path: Path) -> None:
    settings.CACHES = {**settings.CACHES, SIZES: {**settings.CACHES[SIZES], "LOCATION": tmp_path}}


def test_a_drawn_figure_has_its_own_size_in_both_schemes() -> None:
    remember_size(PAGE, "seed=1&bare&theme=dark", FIGURE)
    assert size_of(PAGE, "bare&seed=1") == Size(683, 320)


def test_a_figure_that_was_not_drawn_is_as_large_as_that_of_another_campaign() -> None:
    remember_size(PAGE, "seed=1&bare&layout=narrow", FIGURE)
    other = f"/campaigns/{uuid4()}/analyses/stopping/sweep.svg"
    assert size_of(other, "seed=2&bare&layout=narrow") == Size(683, 320)
    assert size_of(other, "seed=2&bare") == USUAL[""]
    assert size_of(other.replace("sweep", "other"), "bare&layout=narrow") == USUAL["layout"]


def test_room_is_stated_by_attributes() -> None:
    page = Template('{% load figures %}<img {% room address "seed=1" "" "bare&fills" %}>')
    width, height = USUAL["fills"]
    assert page.render(Context({"address": PAGE})) == f'<img width="{width}" height="{height}">'
