"""Quality of annotators' work, from the snapshot alone (Napoles et al. 2019, "GMEG", section 4.2).

An annotator is flagged for ranking the control (the source with errors inserted) below the source on less
than 70 % of the screens that hold both (of pairs, below whatever stands beside it), for being much faster
than the others or than anybody reads, for the same answer throughout, and for agreement significantly below
chance. Only the first decides which code a crowd worker gets; no flag leaves out a judgment. Works for scores
(the higher is better) and ranks (1 is best) alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import pd, special
from ranking.annotators.control_rule import CONTROL, DEFAULT_RULE, SOURCE, ControlRule
from ranking.annotators.flags import LEVEL, FlagRule, Flags, Habits, flags
from ranking.annotators.peer_agreement import peer_agreement
from ranking.annotators.planted_errors import PlantedCounts, PlantedErrors, marked_planted_errors
from ranking.annotators.reading import reading_rate
from ranking.annotators.verdicts import OUTCOMES, gold_cases, gold_cases_of_edits
from ranking.judgments.snapshot import RANKING_COLUMNS, SCORING_COLUMNS, Scores
from ranking.judgments.system_rows import numbered, numbered_sequences, runs


@dataclass(frozen=True, slots=True)
class ControlCheck:
    """The check of an annotator by controls, which belong below the source.

    Attributes:
        cases: screens on which the annotator rated both, as outputs of their own.
        passed: screens with every control below the source; a tie counts as a miss.
        share: passed / cases; None without cases.
        low: lower bound of the exact (Clopper-Pearson) 95 % interval of the share; None where `share` is.
        high: its upper bound; None where `share` is.
        flagged: whether the rule flags the annotator.
        reason: why there is no share, or why a share below the threshold is not flagged; None otherwise.
        is_gold: whether the cases are verdicts on outputs whose validity is known, or on their edits
            (`ranking.annotators.verdicts`).
        is_of_pairs: whether the cases are controls beside any other output, on screens of two.
    """

    cases: int
    passed: int
    share: float | None
    low: float | None
    high: float | None
    flagged: bool
    reason: str | None
    is_gold: bool = False
    is_of_pairs: bool = False

    @property
    def words(self) -> str:
        """A passed check in words, as the beginning of a sentence."""
        if self.is_gold:
            return "right verdict"
        return "control below the other output" if self.is_of_pairs else "control below source"

    def under(self, rule: ControlRule) -> ControlCheck:
        """The check by another rule."""
        return _check(self.cases, self.passed, rule, is_gold=self.is_gold, is_of_pairs=self.is_of_pairs)


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure of one annotator.

    Attributes:
        value: the figure; None if it cannot be computed.
        cases: number of cases behind it.
        reason: why there is no value, in words; None if there is one.
    """

    value: float | None
    cases: int
    reason: str | None


NO_PLANTED = Measure(None, 0, "no errors were marked in a control with planted errors")


@dataclass(frozen=True, slots=True)
class AnnotatorQuality:
    """Figures of the quality of one annotator's work.

    Attributes:
        annotator: the name.
        screens: judgments with a rating.
        check: source against control.
        seconds: median of the active time on a screen.
        reading: median of the words per minute at which they would have read the sentence in that time
            (`ranking.annotators.reading`).
        all_equal: the share of screens with several outputs on which all were rated equal.
        same_answer: the share of these screens with the annotator's most frequent answer to so many outputs
            in the order shown; high for annotators who always click in the same places.
        agreement: the share of comparisons with others, over all pairs of outputs that both judged, with the
            same outcome (better, equal, worse).
        by_chance: the share that would agree by chance (`ranking.annotators.peer_agreement`).
        repeats: `agreement` of the annotator with themselves, over pairs of outputs judged twice.
        planted: the share of errors planted in controls that the annotator marked, where errors are marked.
    """

    annotator: str
    screens: int
    check: ControlCheck
    seconds: Measure
    reading: Measure
    all_equal: Measure
    same_answer: Measure
    agreement: Measure
    by_chance: Measure
    repeats: Measure
    planted: Measure = NO_PLANTED

    @property
    def shares(self) -> tuple[Measure, ...]:
        """The figures that the table shows as shares."""
        return (self.all_equal, self.same_answer, self.agreement, self.repeats)

    def under(self, rule: ControlRule) -> AnnotatorQuality:
        """The figures with the control checks decided by another rule."""
        return replace(self, check=self.check.under(rule))


READ = (
    *dict.fromkeys((*RANKING_COLUMNS, *SCORING_COLUMNS)),
    "protocol",
    "position",
    "active_ms",
    "verdict",
    "rating_details",
)
"""The columns of a snapshot that are looked at here."""

PAIRS = "pairs"
"""Name of the protocol of pairs."""

IN_EACH_TAIL = 0.025
"""Probability in each tail of the 95 % interval of a share."""


def control_checks(
    snapshot: pd.DataFrame, roles: Mapping[str, str], rule: ControlRule = DEFAULT_RULE
) -> dict[str, ControlCheck]:
    """The check of each annotator of the snapshot, by name (GMEG, section 4.2).

    Judgments of validity and of edits are checked by their outputs of references and controls
    (`ranking.gold_cases`, `ranking.gold_cases_of_edits`). On screens of the protocol *pairs* source and
    control seldom meet, so a control is compared with whatever stands beside it. `roles` gives the role of
    each system, *source* and *control* being those that matter. Judgments of every state count: leave out
    beforehand what is not wanted.
    """
    return _checks(snapshot, _rated(snapshot), roles, rule)


def _checks(
    snapshot: pd.DataFrame, rated: pd.DataFrame, roles: Mapping[str, str], rule: ControlRule
) -> dict[str, ControlCheck]:
    """The checks of `control_checks`, from the snapshot and its rated rows."""
    is_of_pairs = _are_pairs(snapshot)
    cases = _cases_of_pairs(rated, roles) if is_of_pairs else _cases(rated, roles)
    gold = gold_cases(snapshot, roles) if "verdict" in snapshot.columns else cases.iloc[:0]
    if "rating_details" in snapshot.columns and gold.empty:
        gold = gold_cases_of_edits(snapshot, roles)
    if is_gold := len(gold) > len(cases):
        cases = gold
    counts = cases.groupby("annotator")["passed"].agg(["size", "sum"])
    counts = counts.reindex(sorted(snapshot["annotator"].unique()), fill_value=0)
    return {
        str(name): _check(
            int(size), int(passed), rule, is_gold=is_gold, is_of_pairs=is_of_pairs and not is_gold
        )
        for name, size, passed in counts.itertuples()
    }


def quality_of_annotators(
    snapshot: pd.DataFrame,
    roles: Mapping[str, str],
    rule: ControlRule = DEFAULT_RULE,
    *,
    words: Mapping[int, int] | None = None,
    planted: PlantedErrors | None = None,
    step: Callable[[], None] = lambda: None,
) -> tuple[AnnotatorQuality, ...]:
    """The work of all annotators of the snapshot, in alphabetical order; arguments as `control_checks`.

    `words` gives the number of words of each sentence; without it, reading rates are unknown. `planted` gives
    the errors of controls, which annotators who mark errors should mark. `step` is called between parts of
    the work; it may stop it by raising an error.

    Raises `ranking.SnapshotError` as `ranking.scored_outputs` does.
    """
    rated = _rated(snapshot)
    step()
    checks = _checks(snapshot, rated, roles, rule)
    step()
    rated = rated[list(SCORING_COLUMNS)]  # Pairs need memory, so the other columns go meanwhile.
    peers = _peers(rated, step)
    step()
    rated = _rated(snapshot)
    step()
    screens = _screens(rated)
    del rated
    step()
    # A key for each output, and one to submit.
    length = screens["sentence"].map(dict(words or {})).astype(float)
    screens["reading"] = reading_rate(length, screens["outputs"] + 1, screens["seconds"])
    work = pd.DataFrame(index=pd.Index(checks, dtype="object"))
    work["screens"] = screens.groupby("annotator").size()
    several = screens[screens["outputs"] > 1]
    by_annotator = several.groupby("annotator")
    work["several"] = by_annotator.size()
    work["all_equal"] = by_annotator["all_equal"].sum()
    answers = several.groupby(["annotator", "outputs", "answer"]).size()
    work["same_answer"] = answers.groupby(["annotator", "outputs"]).max().groupby("annotator").sum()
    work["timed"] = screens.groupby("annotator")["seconds"].count()
    work["read"] = screens.groupby("annotator")["reading"].count()
    work = work.join(peers.drop(columns="by_chance")).fillna(0).astype(int)
    medians = screens.groupby("annotator")[["seconds", "reading"]].median()
    marked = marked_planted_errors(snapshot, planted) if planted else {}
    no_times = "no times were recorded"
    none_of_several, no_peers = "no screen showed several outputs", "nobody else judged the same outputs"
    return tuple(
        AnnotatorQuality(
            annotator=name,
            screens=counts["screens"],
            check=checks[name],
            seconds=(
                Measure(float(medians["seconds"][name]), counts["timed"], None)
                if counts["timed"]
                else Measure(None, 0, no_times)
            ),
            reading=(
                Measure(float(medians["reading"][name]), counts["read"], None)
                if counts["read"]
                else Measure(None, 0, "the texts are not known" if counts["timed"] else no_times)
            ),
            all_equal=_share(counts["all_equal"], counts["several"], none_of_several),
            same_answer=_share(counts["same_answer"], counts["several"], none_of_several),
            agreement=_share(counts["agreed"], counts["compared"], no_peers),
            by_chance=(
                Measure(float(peers["by_chance"][name]), counts["compared"], None)
                if counts["compared"]
                else Measure(None, 0, no_peers)
            ),
            repeats=_share(
                counts["repeated_alike"], counts["repeated"], "no pair of outputs was judged twice"
            ),
            planted=_of_planted(marked.get(name)),
        )
        for name, counts in zip(checks, work.to_dict("records"), strict=True)
    )


def reasons_to_look(
    annotators: Sequence[AnnotatorQuality], control: ControlRule, habits: FlagRule
) -> dict[str, tuple[str, ...]]:
    """Reasons why annotators are flagged, in words with the numbers, by annotator; empty for the others."""
    signs = signs_of(annotators, habits)
    reasons = {}
    for place, quality in enumerate(annotators):
        check, same, agreement = quality.under(control).check, quality.same_answer, quality.agreement
        said = (
            (
                check.flagged,
                f"{check.words} on {_percent(check.share)} of {check.cases} screens "
                f"(at least {control.percent} %)",
            ),
            (
                signs.too_fast[place],
                f"median of {quality.seconds.value or 0:.1f} s a screen, {_percent(signs.pace[place])} of "
                f"the campaign’s {signs.campaign_seconds:.1f} s (at least {_percent(habits.pace)})",
            ),
            (
                signs.unread[place],
                f"median of {quality.seconds.value or 0:.1f} s a screen, in which nobody reads the sentence: "
                f"{quality.reading.value or 0:,.0f} words per minute (at most {habits.reading:,.0f})",
            ),
            (
                signs.same_answer[place],
                f"same answer on {_percent(same.value)} of {same.cases} screens "
                f"(at most {_percent(habits.same_answer)})",
            ),
            (
                signs.below_chance[place],
                f"agreement beyond chance of {_percent(signs.beyond_chance[place])} "
                f"(at least {_percent(habits.beyond_chance)}): {_percent(agreement.value)} of "
                f"{agreement.cases} comparisons with others agree, "
                f"{_percent(quality.by_chance.value)} would by chance (significant at the level {LEVEL})",
            ),
        )
        reasons[quality.annotator] = tuple(words for flagged, words in said if flagged)
    return reasons


def signs_of(annotators: Sequence[AnnotatorQuality], habits: FlagRule) -> Flags:
    """The flags of the annotators but for that of controls, with the figures that decide."""
    return flags(_habits(annotators), habits)


def campaign_seconds(annotators: Sequence[AnnotatorQuality], habits: FlagRule) -> float | None:
    """The median time with which `reasons_to_look` compares; None where too few annotators have one."""
    seconds = signs_of(annotators, habits).campaign_seconds
    return None if np.isnan(seconds) else seconds


def _habits(annotators: Sequence[AnnotatorQuality]) -> Habits:
    def values(name: str) -> FloatArray:
        measures = (getattr(quality, name) for quality in annotators)
        return np.array([np.nan if one.value is None else one.value for one in measures], dtype=float)

    def cases(name: str) -> IntArray:
        return np.array([getattr(quality, name).cases for quality in annotators], dtype=np.int64)

    return Habits(
        seconds=values("seconds"),
        timed=cases("seconds"),
        same_answer=values("same_answer"),
        several=cases("same_answer"),
        agreement=values("agreement"),
        by_chance=values("by_chance"),
        compared=cases("agreement"),
        reading=values("reading"),
        read=cases("reading"),
    )


def _percent(share: float | None) -> str:
    return f"{100 * (share or 0):.0f} %".replace("-", "−")


def _rated(snapshot: pd.DataFrame) -> pd.DataFrame:
    """The rows with a rating, as a score where the higher is better, for any protocol.

    A verdict on an output counts as one, so that its screens and times are looked at as well.
    """
    score = snapshot["score"].astype("Float64").fillna(-snapshot["rank"].astype("Float64"))
    if "verdict" in snapshot.columns:
        on_output = snapshot["verdict"].where(snapshot["output"].notna())
        score = score.fillna(on_output.astype("object").map(OUTCOMES).astype("Float64"))
    rated = score.notna()
    columns = [column for column in READ if column in snapshot and column not in ("rank", "score", "verdict")]
    return snapshot.loc[rated, columns].assign(score=score[rated].astype("float64"))


def _are_alone(rated: pd.DataFrame) -> bool:
    """Whether screens show one output each, rated on scales, whose points can be compared between screens."""
    on_scales = "rating_details" in rated and bool(rated["rating_details"].notna().any())
    return on_scales and not rated["judgment"].duplicated().any()


def _are_pairs(snapshot: pd.DataFrame) -> bool:
    """Whether all judgments are by the protocol *pairs*."""
    return "protocol" in snapshot and bool(len(snapshot)) and bool((snapshot["protocol"] == PAIRS).all())


def _cases_of_pairs(rated: pd.DataFrame, roles: Mapping[str, str]) -> pd.DataFrame:
    """One row per screen with a control and an output of others: `annotator` and whether it is `passed`."""
    of = rated.assign(judgment=numbered(rated["judgment"]))
    codes, lists = pd.factorize(of["systems"].to_numpy())
    is_control = np.array(
        [all(roles.get(name) == CONTROL for name in systems) for systems in lists], dtype=bool
    )
    scores = {
        column: of[is_control[codes] == flag].groupby("judgment")["score"].max()
        for column, flag in (("control", True), ("other", False))
    }
    both = pd.DataFrame(scores).dropna()
    annotators = of.drop_duplicates("judgment").set_index("judgment")["annotator"]
    return pd.DataFrame(
        {
            "annotator": annotators.reindex(both.index).astype("object"),
            "passed": both["control"] < both["other"],
        }
    )


def _cases(rated: pd.DataFrame, roles: Mapping[str, str]) -> pd.DataFrame:
    """One row per screen with source and control, as two outputs: `annotator` and whether it is `passed`.

    If they stand on screens of their own, it is the two of one annotator and sentence.
    """
    # Numbers: pandas cannot align the categories of many judgments with those of none.
    of = ("annotator", "sentence") if _are_alone(rated) else ("judgment",)
    rated = rated.assign(judgment=numbered(*(rated[name] for name in of)))
    codes, lists = pd.factorize(rated["systems"].to_numpy())
    roles_of_output = [{roles.get(name) for name in systems} for systems in lists]

    def only(role: str, other: str) -> pd.Series[float]:
        chosen = np.array([role in roles and other not in roles for roles in roles_of_output], dtype=bool)
        return rated[chosen[codes]].groupby("judgment")["score"].max()

    both = pd.DataFrame({"source": only(SOURCE, CONTROL), "control": only(CONTROL, SOURCE)}).dropna()
    annotators = rated.drop_duplicates("judgment").set_index("judgment")["annotator"]
    return pd.DataFrame(
        {
            "annotator": annotators.reindex(both.index).astype("object"),
            "passed": both["control"] < both["source"],
        }
    )


def _check(
    cases: int, passed: int, rule: ControlRule, *, is_gold: bool = False, is_of_pairs: bool = False
) -> ControlCheck:
    if not cases:
        shown = "no screen showed a control" if is_of_pairs else "no screen showed source and control"
        none = "no output of a control or reference" if is_gold else shown
        return ControlCheck(0, 0, None, None, None, False, none, is_gold, is_of_pairs)
    missed = cases - passed
    below = passed / cases < rule.threshold
    enough = cases >= rule.min_cases
    reason = f"below the threshold, but fewer than {rule.min_cases} cases" if below and not enough else None
    return ControlCheck(
        cases=cases,
        passed=passed,
        share=passed / cases,
        low=float(special.betaincinv(passed, missed + 1, IN_EACH_TAIL)) if passed else 0.0,
        high=float(special.betainccinv(passed + 1, missed, IN_EACH_TAIL)) if missed else 1.0,
        flagged=below and enough,
        reason=reason,
        is_gold=is_gold,
        is_of_pairs=is_of_pairs,
    )


def _screens(rated: pd.DataFrame) -> pd.DataFrame:
    """One row per judgment: `annotator`, `sentence`, `outputs`, `answer` as shown, `all_equal`, `seconds`.

    `outputs` is their number. An answer is a number: equal answers, and only they, have it equal.
    """
    codes, _ = pd.factorize(rated["judgment"])
    order = np.lexsort((rated["position"].fillna(-1).to_numpy(dtype=np.int64), codes))
    scores, _ = pd.factorize(rated["score"].to_numpy()[order])
    starts, sizes = runs(codes[order])
    first = rated[["annotator", "sentence", "active_ms"]].iloc[order[starts]]
    return pd.DataFrame(
        {
            "annotator": first["annotator"].to_numpy(dtype=object),
            "sentence": first["sentence"].to_numpy(),
            "outputs": sizes,
            "answer": numbered_sequences(codes[order], scores)[starts],
            "all_equal": np.maximum.reduceat(scores, starts) == np.minimum.reduceat(scores, starts)
            if len(starts)
            else np.empty(0, dtype=bool),
            "seconds": first["active_ms"].astype("Float64").to_numpy(dtype=np.float64, na_value=np.nan)
            / 1000,
        }
    )


def _peers(rated: pd.DataFrame, step: Callable[[], None]) -> pd.DataFrame:
    """The figures of `ranking.PeerAgreement`, by annotator."""
    peers = peer_agreement(rated, by=Scores(), step=step)
    names = ("compared", "agreed", "by_chance", "repeated", "repeated_alike")
    columns = {name: getattr(peers, name) for name in names}
    return pd.DataFrame(columns, index=pd.Index(peers.annotators, dtype="object"))


def _of_planted(counts: PlantedCounts | None) -> Measure:
    return NO_PLANTED if counts is None else Measure(counts.marked / counts.planted, counts.planted, None)


def _share(part: int, whole: int, reason: str) -> Measure:
    return Measure(part / whole, whole, None) if whole else Measure(None, 0, reason)
