"""Colours of pages and charts: one table, legible in both schemes."""

import itertools

import pytest

from figures.colours import Theme, colours

SURFACES = ("page", "surface", "sunken")
TEXTS = ("ink", "soft", "faint", "accent", "good", "warn", "bad")
TINTED = ("accent", "good", "warn", "bad")
LEAST_OF_TEXT, LEAST_OF_CONTROLS = 4.5, 3.0
"""Contrast ratios of WCAG 2.2, level AA: text (1.4.3), and what shows where a control is (1.4.11)."""

themes = pytest.mark.parametrize("theme", ["light", "dark"])


def luminance(colour: str) -> float:
    """Relative luminance of an sRGB colour (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_that_of_black_on_white() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@themes
def test_text_is_legible_on_every_surface(theme: Theme) -> None:
    colour = colours(theme)
    pairs = [*itertools.product(TEXTS, SURFACES), *((tone, f"{tone}-soft") for tone in TINTED)]
    pairs += [("on-accent", "accent"), ("ink", "accent-soft"), ("soft", "accent-soft")]
    assert [pair for pair in pairs if contrast(colour[pair[0]], colour[pair[1]]) < LEAST_OF_TEXT] == []


@themes
def test_the_edge_of_a_control_is_visible_on_what_it_lies_on(theme: Theme) -> None:
    colour = colours(theme)
    for surface in SURFACES:
        assert contrast(colour["edge"], colour[surface]) >= LEAST_OF_CONTROLS
