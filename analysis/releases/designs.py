"""The design of a campaign as a release states it."""

import json
from collections.abc import Sequence
from typing import Any

from annotate.models import Campaign

STATED = (
    *("outputs_per_screen", "items", "sampling", "with_replacement", "listed_sentences", "covers_outputs"),
    *("checked_percent", "annotators_per_item", "shared_percent", "repeat_percent", "batch_size"),
    *("separates_domains", "marks_edits", "shows_context", "text_rules", "interface_language"),
    *("protocol_options",),
    *("practice_needed", "practice_tries", "stops_when", "stop_confidence", "stop_after", "follow_up"),
)
"""Fields of a design that mean something without the database."""


def design_text(campaigns: Sequence[Campaign], *, with_secret: bool) -> str:
    """Protocol and design as JSON; of several campaigns a list of them. An imported campaign has no design.

    The secret of its random draws is in it on request only: with it, the orders of outputs tell annotators'
    numbers.
    """
    designs = [_stated(campaign, with_secret=with_secret) for campaign in campaigns]
    stated = designs[0] if len(designs) == 1 else {"campaigns": designs}
    return json.dumps(stated, ensure_ascii=False, indent=2) + "\n"


def guidelines_text(campaigns: Sequence[Campaign]) -> str:
    """The guidelines, in Markdown; of several campaigns each under its name. Empty if there are none."""
    texts = {each.name: each.design.guidelines for each in campaigns if hasattr(each, "design")}
    if len(campaigns) == 1:
        return "".join(texts.values())
    return "\n\n".join(f"# Guidelines of {name}\n\n{text}" for name, text in texts.items() if text)


def _stated(campaign: Campaign, *, with_secret: bool) -> dict[str, Any]:
    design = getattr(campaign, "design", None)
    return {
        "campaign": campaign.name,
        "protocol": campaign.protocol,
        "collected": "elsewhere, and imported" if design is None else "with Assay",
        "follows": campaign.follows.name if campaign.follows else None,
        "propensities": "in the column propensities of the judgments; all comparisons were sampled alike "
        "where it is empty",
        "design": None if design is None else {name: getattr(design, name) for name in STATED},
        **({"secret": campaign.released_secret} if with_secret else {}),
    }
