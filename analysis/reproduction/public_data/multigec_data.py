"""Human ratings of outputs of MultiGEC-2025, English and Swedish."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from analysis.reproduction.paper import PaperData
from formats.essay_ratings import EssayRatings, read_essay_ratings

FILES = {"English": "eng_eval", "Swedish": "swe_eval"}


@dataclass(eq=False)
class MultiGec(PaperData):
    """The ratings, from `multigec/`; the property raises `FormatError` for a missing or malformed file."""

    @cached_property
    def ratings(self) -> Mapping[str, EssayRatings]:
        """By language."""
        return {
            language: read_essay_ratings(self.folder / "multigec" / name) for language, name in FILES.items()
        }
