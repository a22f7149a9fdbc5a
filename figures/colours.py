"""The colours of pages and charts, read from the style sheet that states them."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

Theme = Literal["light", "dark"]

TOKENS = Path(__file__).parent.parent / "static" / "css" / "tokens.css"
_COLOUR = re.compile(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);")


@cache
def colours(theme: Theme) -> Mapping[str, str]:
    """Each colour by the name of its token, as `#rrggbb`: `colours("dark")["accent"]`."""
    place = 1 if theme == "light" else 2
    return {row[0]: row[place] for row in _COLOUR.findall(TOKENS.read_text())}
