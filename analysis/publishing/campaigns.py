"""The inputs of a bundle, from a campaign or from a file."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from analysis.analyses.analysis_inputs import Inputs
from analysis.analyses.base import MACHINES, AnyAnalysis, includes_machines
from analysis.analyses.from_judgments import adds_followed
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.publishing.inputs.bundled_inputs import Given, judgments_of, with_columns_of_bundles
from analysis.results.annotator_names import shown_annotators
from analysis.runs.requests import request_of
from analysis.runs.sources import source_of, version_of
from analysis.runs.sources.base import Options
from annotate.campaigns.follow_ups.one_sample import is_one_sample
from annotate.judgments.queries import roles_of
from annotate.models import Campaign
from core.parameters import ParameterError
from core.progress import Progress
from jobs.refusals import RefusedError
from ranking.judgments.snapshot import system_names


def given_of_campaign(
    campaign: Campaign, analysis: AnyAnalysis, parameters: object, progress: Progress
) -> Given:
    """The present judgments of a campaign that count, with metric scores if the analysis reads them.

    Raises:
        ParameterError: a parameter is impossible for this campaign.
        RefusedError: the inputs cannot be read; the message says what to do.
    """
    request = request_of(with_columns_of_bundles(analysis), campaign, parameters)
    is_of_several = adds_followed(request.parameters)
    if is_of_several and not is_one_sample(campaign):
        raise RefusedError("A bundle is of one campaign, and this result is of several.")
    size = version_of(analysis, campaign).size
    inputs = source_of(analysis).load(request, size, progress, at_once=False)
    roles = dict(campaign.corpus.systems.values_list("name", "role")) | roles_of(campaign)
    if is_of_several:
        # Its judgments and those that it follows are one sample, with which the bundle has one campaign.
        alone = replace(request.parameters, combined=False)
        return Given(inputs, alone, _by_pseudonym(judgments_of(inputs).snapshot["annotator"].unique()), roles)
    shown = shown_annotators(campaign, may_see_names=False)
    people = (key for key, annotator in shown.items() if not annotator.is_machine)
    return Given(inputs, request.parameters, _by_pseudonym(people), roles)


def given_of_file(path: Path, analysis: AnyAnalysis, stated: object, options: Options) -> Given:
    """The judgments of a file, with metric scores of others as the options say.

    Raises:
        FormatError: a file cannot be read.
        ParameterError: a parameter is impossible.
    """
    if includes_machines(stated):
        raise ParameterError(faults={MACHINES: "a bundle holds judgments of people"})
    asked = source_of(analysis).of_file(path, with_columns_of_bundles(analysis), stated, options)
    roles: Mapping[str, str] = dict(options["role"])
    judged = set(system_names(judgments_of(asked.inputs).snapshot))
    if isinstance(asked.inputs, ScoredJudgments):
        judged.update(asked.inputs.systems)
    return Given(
        asked.inputs,
        asked.parameters,
        _in_order(asked.inputs),
        {name: role for name, role in roles.items() if name in judged},
    )


def _by_pseudonym(annotators: Iterable[str]) -> dict[str, int]:
    """Annotators by number, in the order of their pseudonyms: it tells nothing of those in the campaign."""
    return {name: number for number, name in enumerate(sorted(map(str, annotators)), start=1)}


def _in_order(inputs: Inputs) -> dict[str, int]:
    """Annotators by number, in the order of their first judgments; that of names would give these away."""
    annotators = judgments_of(inputs).snapshot["annotator"].unique()
    return {str(name): number for number, name in enumerate(annotators, start=1)}
