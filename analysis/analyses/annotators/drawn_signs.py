"""The signs of careless work as a figure draws them."""

from collections.abc import Callable, Sequence

import numpy as np

from core.names import Naming
from figures.annotators.quality import DrawnSign, SignPanel
from ranking.annotators.control_rule import ControlRule
from ranking.annotators.flags import FlagRule
from ranking.annotators.quality import AnnotatorQuality, signs_of

SHARES = (0.0, 1.0)
"""Ends of the scale of shares."""

LOWEST_BEYOND_CHANCE = -0.25
"""The scale of agreement beyond chance begins here unless somebody agrees less."""


def sign_panels(
    annotators: Sequence[AnnotatorQuality], rule: ControlRule, habits: FlagRule, naming: Naming
) -> list[SignPanel]:
    """A panel for each sign of which there are figures, with the limits of these rules."""
    signs = signs_of(annotators, habits)
    names = [naming.annotator(each.annotator) for each in annotators]
    checks = [each.under(rule).check for each in annotators]

    def drawn(
        values: Sequence[float | None],
        flagged: Sequence[bool],
        words: Callable[[float], str],
        ends: Sequence[tuple[float | None, float | None]] | None = None,
    ) -> list[DrawnSign]:
        return [
            DrawnSign(name, value, low, high, words(value), bool(is_flagged))
            for name, value, is_flagged, (low, high) in zip(
                names, values, flagged, ends or [(None, None)] * len(names), strict=True
            )
            if value is not None and not np.isnan(value)
        ]

    seconds = signs.campaign_seconds * habits.pace
    has_pace = not np.isnan(seconds)
    agreement = drawn(list(signs.beyond_chance), list(signs.below_chance), _percent)
    lowest = min([LOWEST_BEYOND_CHANCE, *(each.value for each in agreement)])
    panels = [
        SignPanel(
            [checks[0].words.capitalize() if checks else "", f"at least {rule.percent} %"],
            rule.threshold,
            is_least=True,
            domain=SHARES,
            signs=drawn(
                [each.share for each in checks],
                [each.flagged for each in checks],
                _percent,
                [(each.low, each.high) for each in checks],
            ),
        ),
        SignPanel(
            ["Agreement beyond chance", f"at least {_percent(habits.beyond_chance)}"],
            habits.beyond_chance,
            is_least=True,
            domain=(lowest, 1.0),
            signs=agreement,
        ),
        SignPanel(
            ["Same answer", f"at most {_percent(habits.same_answer)}"],
            habits.same_answer,
            is_least=False,
            domain=SHARES,
            signs=drawn([each.same_answer.value for each in annotators], list(signs.same_answer), _percent),
        ),
        SignPanel(
            ["Median seconds", f"at least {seconds:.1f}" if has_pace else "without a limit"],
            seconds if has_pace else None,
            is_least=True,
            domain=None,
            signs=drawn(
                [each.seconds.value for each in annotators],
                list(signs.too_fast),
                lambda value: f"{value:.1f}",
            ),
        ),
        SignPanel(
            ["Words per minute", f"at most {habits.reading:,.0f}"],
            habits.reading,
            is_least=False,
            domain=None,
            signs=drawn(
                [each.reading.value for each in annotators], list(signs.unread), lambda value: f"{value:,.0f}"
            ),
        ),
    ]
    return [panel for panel in panels if panel.signs]


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"
