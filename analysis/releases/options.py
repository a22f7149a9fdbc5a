"""What a release holds beside its tables, as an admin chooses it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

REVEALED_BY_DRAWS = (
    "With the secret of the draws, anyone can check that the orders of outputs were random, and can also "
    "compute the number of each annotator in the campaign from the orders of outputs that they saw. People "
    "who know these numbers then know whose judgments are whose."
)


class Layout(StrEnum):
    """A further layout, named after the program that reads it."""

    GEC_METRICS = "gec-metrics"
    MT_METRICS_EVAL = "mt-metrics-eval"


@dataclass(frozen=True, slots=True)
class Options:
    """What is released on request only.

    Attributes:
        with_secret: whether the design holds the secret by which the campaign was drawn.
        layouts: in which the data is written as well.
    """

    with_secret: bool = False
    layouts: tuple[Layout, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The options as JSON can hold them."""
        return {"with_secret": self.with_secret, "layouts": list(map(str, self.layouts))}


NO_OPTIONS = Options()
"""The options of a release for which nothing was chosen."""


def options_of(stored: Mapping[str, Any]) -> Options:
    """Options from `Options.as_json`."""
    layouts = tuple(dict.fromkeys(map(Layout, stored.get("layouts", ()))))
    return Options(with_secret=bool(stored.get("with_secret")), layouts=layouts)
