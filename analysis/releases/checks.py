"""What is checked before a release is written."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
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

MOST_CAMPAIGNS = 100
"""In one release; more are not read back either."""

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


def released_together(campaigns: Sequence[Campaign]) -> list[Campaign]:
    """The campaigns of a release in the order in which they were made, however they were named.

    Raises:
        ReleaseRefusedError: a campaign is named twice, they judge different corpora, or are too many.
    """
    if len(campaigns) > MOST_CAMPAIGNS:
        raise ReleaseRefusedError(f"A release has at most {MOST_CAMPAIGNS} campaigns.")
    first, *others = campaigns
    if other := next((each for each in others if each.corpus_id != first.corpus_id), None):
        raise ReleaseRefusedError(
            f"Campaign {other.name!r} judges corpus {other.corpus.name!r}, and {first.name!r} judges "
            f"{first.corpus.name!r}. Campaigns of one release judge the same corpus: make a release of each."
        )
    if twice := [each.name for each, number in Counter(campaigns).items() if number > 1]:
        raise ReleaseRefusedError(f"Campaign {twice[0]!r} is named twice.")
    return sorted(campaigns, key=lambda each: each.pk)


def checked(
    campaigns: Sequence[Campaign],
    about: About,
    confirmed: Collection[Confirmation],
    progress: Progress,
    options: Options = NO_OPTIONS,
) -> Checked:
    """Check the campaigns before their release; nothing is changed."""
    found: list[Found] = []
    if not about.leaves_out_texts:
        texts = chain.from_iterable(map(places_of, sentences_of(campaigns, progress)))
        written = chain.from_iterable(map(texts_of_annotators, campaigns))
        found = list(islice(found_in(chain(texts, written)), MOST_LISTED + 1))
    needed = dict(_to_confirm(campaigns, found))
    return Checked(
        confirmed=sorted(confirmed),
        refusals=[
            *chain.from_iterable(_refusals(each, options) for each in campaigns),
            *_refusals_of_texts(campaigns[0], about, options),
        ],
        to_confirm={each: why for each, why in needed.items() if each not in confirmed},
        warnings=list(_warnings(campaigns, about, options)),
        found=found[:MOST_LISTED],
        found_more=len(found) > MOST_LISTED,
    )


def _refusals(campaign: Campaign, options: Options) -> Iterator[str]:
    if campaign.state not in (CampaignState.CLOSED, CampaignState.IMPORTED):
        yield (
            f"Campaign {campaign.name!r} is not closed. A release names the systems, so annotators could "
            "look up what they judge. Close the campaign first."
        )
    elif not campaign.annotators.filter(excluded_at=None, answers_sent__gt=0).exists():
        yield f"Campaign {campaign.name!r} has no judgments that count."
    if options.layouts and not source_of(AGREEMENT).concerns(campaign, AGREEMENT):
        yield (
            f"The layouts {listed(list(options.layouts))} hold comparisons of outputs, and the annotators of "
            f"{campaign.name!r} did not compare any."
        )
    if options.with_secret and not campaign.released_secret:
        yield (
            f"The secret of the draws cannot be released: campaign {campaign.name!r} has to be closed, and "
            "to have been drawn here by a secret."
        )


def _refusals_of_texts(campaign: Campaign, about: About, options: Options) -> Iterator[str]:
    if campaign.corpus.has_texts and not about.leaves_out_texts and about.text_licence is None:
        yield (
            f"The licence of the texts of corpus {campaign.corpus.name!r} is not stated. If it allows their "
            "publication, state it (text_licence); otherwise leave out the texts (leave_out_texts), and the "
            "release has digests of the texts instead."
        )
    if options.layouts and about.leaves_out_texts:
        yield f"The layouts {listed(list(options.layouts))} hold texts, which this release leaves out."


def _to_confirm(campaigns: Sequence[Campaign], found: list[Found]) -> Iterator[tuple[Confirmation, str]]:
    if found:
        places = (
            counted(len(found), "place") if len(found) <= MOST_LISTED else f"More than {MOST_LISTED} places"
        )
        yield (
            Confirmation.TEXTS_CHECKED,
            f"{places} may contain personal data. Look at the list and at the texts: confirm that they may "
            "be published, or leave out the texts.",
        )
    if few := list(_few_annotators(campaigns)):
        yield (
            Confirmation.FEW_ANNOTATORS,
            f"Only {listed(few)}: those who know who took part can tell whose judgments are whose. Ask them "
            "whether they agree.",
        )


def _few_annotators(campaigns: Sequence[Campaign]) -> Iterator[str]:
    for campaign in campaigns:
        number = campaign.annotators.filter(excluded_at=None, answers_sent__gt=0).count()
        if 0 < number < FEW_ANNOTATORS:
            yield f"{counted(number, 'annotator')} judged in {campaign.name!r}"


def _warnings(campaigns: Sequence[Campaign], about: About, options: Options) -> Iterator[str]:
    if options.with_secret:
        yield REVEALED_BY_DRAWS
    for campaign in campaigns:
        yield from _warnings_of_one(campaign, about)
    corpus = campaigns[0].corpus
    others = Campaign.objects.filter(
        corpus=corpus, state__in=(CampaignState.RUNNING, CampaignState.PAUSED)
    ).exclude(pk__in=[each.pk for each in campaigns])
    if names := list(others.values_list("name", flat=True)):
        yield (
            f"Annotators still judge the same corpus in {listed(names)}. With the release they can look up "
            "the system of each output: wait until these campaigns are closed."
        )
    if withdrawn := list(corpus.withdrawn.values_list("name", flat=True)):
        yield f"Withdrawn systems are left out: {listed(withdrawn)}."
    if about.unanswered:
        yield (
            f"Only people can answer {counted(len(about.unanswered), 'question')} of the datasheet; these "
            f"will be marked in it: {', '.join(about.unanswered)}."
        )


def _warnings_of_one(campaign: Campaign, about: About) -> Iterator[str]:
    if campaign.links.filter(revoked_at=None).exists():
        yield f"Links of campaign {campaign.name!r} are still valid: revoke them."
    if about.leaves_out_texts and hasattr(campaign, "design") and campaign.design.guidelines:
        yield (
            f"The guidelines of {campaign.name!r} are released as they are: see that they quote no text that "
            "has to stay private."
        )
    if excluded := campaign.annotators.exclude(excluded_at=None).count():
        yield f"Judgments of {counted(excluded, 'excluded annotator')} of {campaign.name!r} are left out."
