"""The design of a campaign as a release states it."""

import json

from annotate.models import Campaign

STATED = (
    *("outputs_per_screen", "items", "sampling", "with_replacement", "listed_sentences", "covers_outputs"),
    *("checked_percent", "annotators_per_item", "shared_percent", "repeat_percent", "batch_size"),
    *("separates_domains", "marks_edits", "shows_context", "text_rules", "interface_language"),
    *("protocol_options",),
    *("practice_needed", "practice_tries", "stops_when", "stop_confidence", "stop_after", "follow_up"),
)
"""Fields of a design that mean something without the database."""


def design_text(campaign: Campaign, *, with_secret: bool) -> str:
    """Protocol and design as JSON. An imported campaign has no design.

    The secret of its random draws is in it on request only: with it, the orders of outputs tell annotators'
    numbers.
    """
    design = getattr(campaign, "design", None)
    stated = {
        "campaign": campaign.name,
        "protocol": campaign.protocol,
        "collected": "elsewhere, and imported" if design is None else "with Assay",
        "follows": campaign.follows.name if campaign.follows else None,
        "propensities": "in the column propensities of the judgments; all comparisons were sampled alike "
        "where it is empty",
        "design": None if design is None else {name: getattr(design, name) for name in STATED},
        **({"secret": campaign.released_secret} if with_secret else {}),
    }
    return json.dumps(stated, ensure_ascii=False, indent=2) + "\n"
