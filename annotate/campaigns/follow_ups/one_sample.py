"""A follow-up about newcomers and the campaigns that it follows, whose judgments count as one sample."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from annotate.campaigns.follow_ups.drafting import design_of, drawn_by
from annotate.campaigns.launch_plans import outputs_by_sentence, shares_of
from annotate.design.active_sampling import active_propensities
from annotate.design.follow_ups import FollowUp
from annotate.design.items import Outputs
from annotate.design.newcomers import AboutNewcomers, AboutPairs, Asking, Ordinary, Together
from annotate.models import Campaign, Output, System
from core.arrays import FloatArray
from core.later import pd
from jobs.refusals import RefusedError
from ranking.judgments.one_sample import COLUMNS, as_one_sample


class UnknownSamplingError(RefusedError):
    """Outputs were judged together that the designs of the campaigns do not show together."""


class Snapshot(Protocol):
    """The snapshot of a campaign, of which parts are read."""

    def frame(self, columns: Collection[str], step: Callable[[], None]) -> pd.DataFrame:
        """Some of its columns; `step` is called before each."""

    def pieces(self) -> Iterator[pd.DataFrame]:
        """All of its columns, some judgments at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class OneSample:
    """Turns judgments of several campaigns into judgments of one campaign.

    Attributes:
        name: of the one campaign.
        together: how often its outputs are asked about.
        keys: of the outputs, by position of the sentence and digest.
        systems: those that wrote each output, by position of the sentence and digest.
    """

    name: str
    together: Together
    keys: Mapping[tuple[int, str], int]
    systems: Mapping[tuple[int, str], Sequence[str]]

    def of(self, snapshot: pd.DataFrame) -> pd.DataFrame:
        """These judgments as those of one campaign.

        Raises:
            UnknownSamplingError: the campaigns do not show outputs together that were judged together.
        """
        return as_one_sample(snapshot, name=self.name, systems=self.systems, propensities=self._propensities)

    def _propensities(self, position: int, digests: Sequence[str]) -> FloatArray:
        found = self.together.propensities(position, [self.keys[position, digest] for digest in digests])
        if not found.all():
            raise UnknownSamplingError(
                f"Outputs of sentence {position} were judged together that these campaigns do not show "
                "together, so their comparisons cannot be weighted."
            )
        return found


@dataclass(frozen=True, slots=True, eq=False)
class InOneSample:
    """A snapshot whose judgments count as part of one sample."""

    snapshot: Snapshot
    sample: OneSample

    def frame(self, columns: Collection[str], step: Callable[[], None]) -> pd.DataFrame:
        """Some of its columns; `step` is called before each."""
        whole = self.sample.of(self.snapshot.frame({*columns, *COLUMNS}, step))
        return whole[[name for name in whole.columns if name in columns]]

    def pieces(self) -> Iterator[pd.DataFrame]:
        """All of its columns, some judgments at a time."""
        return map(self.sample.of, self.snapshot.pieces())


def asks_about_newcomers(campaign: Campaign) -> bool:
    """Whether the campaign asks only where newcomers differ from systems that were judged before."""
    if campaign.follows_id is None:
        return False
    design = getattr(campaign, "design", None)
    return bool(design is not None and design.follow_up and "newcomers" in design.follow_up)


def is_one_sample(campaign: Campaign) -> bool:
    """Whether its judgments and those of the campaigns that it follows count as one sample."""
    return any(map(asks_about_newcomers, (campaign, *campaign.followed)))


def one_sample(campaigns: Sequence[Campaign], judgments: Sequence[int]) -> OneSample:
    """The campaigns as one sample.

    Args:
        campaigns: the newest, which has all systems, and those that it follows.
        judgments: how many of each count.
    """
    newest = campaigns[0]
    everything = _Corpus(newest)
    written = everything.outputs
    rows = Output.objects.filter(sentence__corpus=newest.corpus_id)
    positions = {
        (position, digest): key
        for position, digest, key in rows.values_list("sentence__position", "digest", "pk")
    }
    return OneSample(
        name=newest.name,
        together=Together(
            [(_Corpus(each).asking, number) for each, number in zip(campaigns, judgments, strict=True)],
            everything.ordinary,
        ),
        keys=positions,
        systems={
            (position, digest): written[position][key]
            for (position, digest), key in positions.items()
            if key in written[position]
        },
    )


class _Corpus:
    """The corpus as a campaign sees it."""

    def __init__(self, campaign: Campaign) -> None:
        self._design: Any = design_of(campaign)
        sentences = campaign.corpus.sentences.order_by("position").values_list("pk", flat=True)
        systems = System.every.filter(campaigns=campaign)
        self.outputs: Sequence[Outputs] = outputs_by_sentence(systems, sentences)
        drawn = drawn_by(campaign, self._design)
        self._shares = shares_of(self._design, self.outputs, drawn=drawn)

    @property
    def ordinary(self) -> Ordinary:
        """Ordinary sampling of its systems."""
        return Ordinary(self.outputs, self._shares, self._design.outputs_per_screen)

    @property
    def asking(self) -> Asking:
        """The way in which it asks: ordinary sampling, or a follow-up about newcomers or about pairs."""
        design = self._design
        if not design.follow_up:
            return self.ordinary
        if newcomers := design.follow_up.get("newcomers"):
            return AboutNewcomers(self.outputs, newcomers, self._shares, design.outputs_per_screen)
        if changes := design.follow_up.get("changes"):
            drawn = active_propensities(changes, design.follow_up["ordinary_percent"])
            return Ordinary(self.outputs, drawn / drawn.sum(), design.outputs_per_screen)
        pairs = tuple((first, second) for first, second in design.follow_up["pairs"])
        return AboutPairs(
            self.outputs,
            FollowUp(pairs, design.follow_up["ordinary_percent"]),
            items=design.items,
            shares=self._shares,
            outputs_per_screen=design.outputs_per_screen,
        )
