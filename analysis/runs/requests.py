"""What is asked for: an analysis of a campaign with these parameters."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache

from analysis.analyses.base import Analysis, LeftOut
from analysis.models import Run
from analysis.runs.results import from_json, to_json
from annotate.judgments.pseudonyms import pseudonym
from annotate.judgments.queries import rated_by_score
from annotate.models import Campaign, SystemRole
from assay import __version__


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """An analysis that somebody asks for.

    Attributes:
        analysis: which.
        campaign: of whose judgments.
        parameters: all of them, resolved for these judgments.
        left_out: what of the campaign the parameters leave out.
    """

    analysis: Analysis[Any, Any]
    campaign: Campaign
    parameters: Any
    left_out: LeftOut

    @property
    def key(self) -> str:
        """Equal for equal requests to this version of Assay."""
        parts = [
            self.analysis.name,
            str(self.campaign.uuid),
            to_json(self.parameters),
            to_json(self.left_out),
            __version__,
        ]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    @property
    def title(self) -> str:
        """What a job calls it."""
        return f"{self.analysis.title} of campaign {self.campaign}"


def request_of(
    analysis: Analysis[Any, Any], campaign: Campaign, parameters: Any, *, left_out: LeftOut | None = None
) -> Request:
    """The request for an analysis with parameters as somebody stated them.

    `left_out` is what they leave out, for those who have found it out already.

    Raises:
        ParameterError: a parameter has an impossible value, or one that is impossible for this campaign.
    """
    scored = analysis.resolve is not None and has_scores(campaign)
    resolved = analysis.resolved(parameters, scored=scored)
    return Request(analysis, campaign, resolved, left_out or _left_out(campaign, resolved))


def request_of_run(run: Run, analysis: Analysis[Any, Any]) -> Request:
    """What the run was asked for.

    Raises:
        ValueError: an earlier release wrote the row.
    """
    parameters = from_json(analysis.parameters, run.parameters)
    return Request(analysis, run.campaign, parameters, from_json(LeftOut, run.left_out))


def has_scores(campaign: Campaign) -> bool:
    """Whether the campaign's judgments are scores and no rankings, which its first answer decides."""
    key = f"has-scores:{campaign.uuid}"
    scored = cache.get(key)
    if scored is None and (scored := rated_by_score(campaign)) is not None:
        cache.set(key, scored, timeout=None)
    return bool(scored)


def _left_out(campaign: Campaign, parameters: Any) -> LeftOut:
    """What parameters leave out that choose whether controls and excluded annotators count."""
    systems: list[str] = []
    annotators: list[str] = []
    if not getattr(parameters, "controls", True):
        controls = campaign.systems.filter(role=SystemRole.CONTROL).order_by("name")
        systems = list(controls.values_list("name", flat=True))
    if not getattr(parameters, "excluded", True):
        excluded = campaign.annotators.exclude(excluded_at=None)
        annotators = [pseudonym(campaign, name) for name in excluded.values_list("name", flat=True)]
    return LeftOut(tuple(systems), tuple(sorted(annotators)))
