"""Styles of annotators' pages name no left or right, so that they are mirrored from right to left."""

import re
from collections.abc import Iterator

import pytest
from django.conf import settings

from annotate.design.protocols import PROTOCOLS
from annotate.web.interface_languages import LETTERS

ON_ALL_PAGES = ("tokens", "assay", "site", "judging", "trial")
STYLES = sorted(
    {f"css/{name}.css" for name in ON_ALL_PAGES}
    | set(LETTERS.values())
    | {style for protocol in PROTOCOLS.values() for style in protocol.styles}
)
DECLARATION = re.compile(r"([a-z-]+)\s*:\s*([^;{}]+)[;}]")
ONE_SIDE = re.compile(r"(^|-)(left|right)(-|$)")
BY_SIDE = re.compile(r"margin|padding|inset|border-(width|style|color)|scroll-(margin|padding)")
SIDE_AS_VALUE = re.compile(r"text-align(-last)?|float|clear|caption-side|justify-[a-z]+|transform-origin")
PART = re.compile(r"(?:[^\s()]|\([^()]*(?:\([^()]*\)[^()]*)*\))+")


def physical(css: str) -> Iterator[str]:
    """The declarations that mean left or right, whatever the direction of the text."""
    for name, value in DECLARATION.findall(re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)):
        parts = PART.findall(value)
        if (
            ONE_SIDE.search(name)
            or (BY_SIDE.fullmatch(name) and len(parts) == 4 and parts[1] != parts[3])
            or (name == "border-radius" and len(parts) > 1 and not _is_symmetrical(parts))
            or (SIDE_AS_VALUE.fullmatch(name) and {"left", "right"} & set(parts))
            or "translateX" in value
            or (name == "translate" and parts[0] not in ("0", "none"))
        ):
            yield f"{name}: {value.strip()}"


def _is_symmetrical(corners: list[str]) -> bool:
    every = (corners + corners)[:4] if len(corners) != 3 else [*corners, corners[1]]
    top_left, top_right, bottom_right, bottom_left = every
    return top_left == top_right and bottom_left == bottom_right


@pytest.mark.parametrize("style", STYLES)
def test_no_style_of_annotators_names_a_side(style: str) -> None:
    css = (settings.BASE_DIR / "static" / style).read_text(encoding="utf-8")
    assert list(physical(css)) == []


@pytest.mark.parametrize(
    "declaration",
    [
        "margin-left: 1rem",
        "left: 0",
        "border-right: 1px solid",
        "border-top-left-radius: 0",
        "padding: 0 1rem 0 0",
        "padding: 0 max(1rem, 2px) 0 calc(1rem - (2px + 1px))",
        "inset: 0 0 auto 8.5rem",
        "text-align: left",
        "float: right",
        "border-radius: 0 1px 1px 0",
        "transform: translateX(-50%)",
    ],
)
def test_what_names_a_side_is_found(declaration: str) -> None:
    assert list(physical(f"p {{ {declaration}; }}")) == [declaration]


@pytest.mark.parametrize(
    "declaration",
    [
        "margin-inline-start: 1rem",
        "padding: 0 1rem",
        "padding: 0.5rem 1rem calc(0.5rem + env(safe-area-inset-bottom))",
        "inset: 0",
        "border-radius: var(--radius) var(--radius) 0 0",
        "text-align: start",
        "box-shadow: 0 1px var(--line), 0 -1px var(--line)",
    ],
)
def test_what_names_none_is_left_alone(declaration: str) -> None:
    assert list(physical(f"p {{ {declaration}; }}")) == []
