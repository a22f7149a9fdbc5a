"""Fonts of other letters than English ones are named only by pages that need them."""

import pytest
from django.conf import settings

from annotate.web.interface_languages import LETTERS, letter_styles


@pytest.mark.parametrize(
    ("tags", "styles"),
    [
        (("en", "en-gb"), []),
        (("de-AT", "es"), []),
        (("cs", "cs"), ["extended-latin"]),
        (("uk", "ar"), ["arabic", "cyrillic"]),
        (("zh", "ja"), []),
    ],
)
def test_the_styles_of_a_page(tags: tuple[str, ...], styles: list[str]) -> None:
    assert letter_styles(*tags) == [f"css/letters/{style}.css" for style in styles]


def test_styles_name_fonts_that_are_there() -> None:
    for style in LETTERS.values():
        path = settings.BASE_DIR / "static" / style
        names = [part.split(")")[0] for part in path.read_text().split("url(")[1:]]
        assert names
        assert all((path.parent / name).is_file() for name in names)
