"""What is checked before a release is written."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, islice

from analysis.analyses.annotators.agreement import AGREEMENT
from analysis.releases.about import About
from analysis.releases.options import NO_OPTIONS, REVEALED_BY_DRAWS, Options
from analysis.releases.personal_data import Found, found_in
from analysis.releases.text_rows import places_of, sentences_of, texts_of_annotators
from analysis.runs.sources import source_of
from annotate.models import Campaign, CampaignState
from core.progress import Progress
from core.wording import counted, listed
from jobs.refusals import RefusedError

FEW_ANNOTATORS = 3
"""In a smaller group, those who know who took part can tell whose judgments are whose."""

MOST_LISTED = 200
"""Places with possible personal data that are listed."""


class Confirmation(StrEnum):
    """What a person has to confirm before some releases."""

    TEXTS_CHECKED = "texts-checked"
    FEW_ANNOTATORS = "few-annotators"


class ReleaseRefusedError(RefusedError):
    """The campaign cannot be released so; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of the checks.

    Attributes:
        confirmed: what a person has confirmed.
        refusals: what has to change before a release, and how.
        to_confirm: what a person has to confirm, and has not yet, with the reason.
        warnings: what to look at.
        found: possible personal data, at most MOST_LISTED.
        found_more: whether there are more.
    """

    confirmed: list[Confirmation]
    refusals: list[str]
    to_confirm: dict[Confirmation, str]
    warnings: list[str]
    found: list[Found]
    found_more: bool

    def require(self) -> None:
        """Raise `ReleaseRefusedError` if anything stands in the way."""
        unconfirmed = [f"{why} Confirm with --{each}." for each, why in self.to_confirm.items()]
        if faults := [*self.refusals, *unconfirmed]:
            raise ReleaseRefusedError("\n".join(faults))


def checked(
    campaign: Campaign,
    about: About,
    confirmed: Collection[Confirmation],
    progress: Progress,
    options: Options = NO_OPTIONS,
) -> Checked:
    """Check a campaign before its release; nothing is changed."""
    found: list[Found] = []
    if not about.leaves_out_texts:
        texts = chain.from_iterable(map(places_of, sentences_of(campaign, progress)))
        found = list(islice(found_in(chain(texts, texts_of_annotators(campaign))), MOST_LISTED + 1))
    needed = dict(_to_confirm(campaign, found))
    return Checked(
        confirmed=sorted(confirmed),
        refusals=list(_refusals(campaign, about, options)),
        to_confirm={each: why for each, why in needed.items() if each not in confirmed},
        warnings=list(_warnings(campaign, about, options)),
        found=found[:MOST_LISTED],
        found_more=len(found) > MOST_LISTED,
    )


def _refusals(campaign: Campaign, about: About, options: Options) -> Iterator[str]:
    if campaign.state not in (CampaignState.CLOSED, CampaignState.IMPORTED):
        yield (
            f"Campaign {campaign.name!r} is not closed. A release names the systems, so annotators could "
            "look up what they judge. Close the campaign first."
        )
    elif not campaign.annotators.filter(excluded_at=None, answers_sent__gt=0).exists():
        yield f"Campaign {campaign.name!r} has no judgments that count."
    if campaign.corpus.has_texts and not about.leaves_out_texts and about.text_licence is None:
        yield (
            f"The licence of the texts of corpus {campaign.corpus.name!r} is not stated. If it allows their "
            "publication, state it (text_licence); otherwise leave out the texts (leave_out_texts), and the "
            "release has digests of the texts instead."
        )
    if options.layouts and about.leaves_out_texts:
        yield f"The layouts {listed(list(options.layouts))} hold texts, which this release leaves out."
    if options.layouts and not source_of(AGREEMENT).concerns(campaign, AGREEMENT):
        yield (
            f"The layouts {listed(list(options.layouts))} hold comparisons of outputs, and the annotators of "
            f"{campaign.name!r} did not compare any."
        )
    if options.with_secret and not campaign.released_secret:
        yield (
            "The secret of the draws cannot be released: the campaign has to be closed, and to have been "
            "drawn here by a secret."
        )


def _to_confirm(campaign: Campaign, found: list[Found]) -> Iterator[tuple[Confirmation, str]]:
    if found:
        places = (
            counted(len(found), "place") if len(found) <= MOST_LISTED else f"More than {MOST_LISTED} places"
        )
        yield (
            Confirmation.TEXTS_CHECKED,
            f"{places} may contain personal data. Look at the list and at the texts: confirm that they may "
            "be published, or leave out the texts.",
        )
    number = campaign.annotators.filter(excluded_at=None, answers_sent__gt=0).count()
    if 0 < number < FEW_ANNOTATORS:
        yield (
            Confirmation.FEW_ANNOTATORS,
            f"Only {counted(number, 'annotator')} judged: those who know who took part can tell whose "
            f"judgments are whose. Ask them whether they agree.",
        )


def _warnings(campaign: Campaign, about: About, options: Options) -> Iterator[str]:
    if options.with_secret:
        yield REVEALED_BY_DRAWS
    if campaign.links.filter(revoked_at=None).exists():
        yield "Links of the campaign are still valid: revoke them."
    others = Campaign.objects.filter(
        corpus=campaign.corpus_id, state__in=(CampaignState.RUNNING, CampaignState.PAUSED)
    )
    if names := list(others.exclude(pk=campaign.pk).values_list("name", flat=True)):
        yield (
            f"Annotators still judge the same corpus in {listed(names)}. With the release they can look up "
            "the system of each output: wait until these campaigns are closed."
        )
    if about.leaves_out_texts and hasattr(campaign, "design") and campaign.design.guidelines:
        yield "The guidelines are released as they are: see that they quote no text that has to stay private."
    if withdrawn := list(campaign.corpus.withdrawn.values_list("name", flat=True)):
        yield f"Withdrawn systems are left out: {listed(withdrawn)}."
    if excluded := campaign.annotators.exclude(excluded_at=None).count():
        yield f"Judgments of {counted(excluded, 'excluded annotator')} are left out."
    if about.unanswered:
        yield (
            f"Only people can answer {counted(len(about.unanswered), 'question')} of the datasheet; these "
            f"will be marked in it: {', '.join(about.unanswered)}."
        )
