"""Verdicts on single outputs: is this a valid correction (Choshen and Abend 2018, appendix E)?

Rows of a snapshot with an output and one of the verdicts below are read; others say nothing here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.later import pd
from ranking.annotators.control_rule import CONTROL
from ranking.judgments.edit_verdicts import edit_verdicts
from ranking.judgments.pairs import OutputPairs
from ranking.judgments.snapshot import SnapshotError
from ranking.judgments.system_rows import numbered

VALID, INVALID, CANNOT_SAY = "yes", "no", "cannot-say"
OUTCOMES: Mapping[str, int] = {VALID: 1, CANNOT_SAY: 0, INVALID: -1}

DECIDED = {"accepted": 1, "rejected": -1}
"""Verdicts on edits that are right or wrong."""

REFERENCE = "reference"
"""Role of a system whose outputs are human corrections."""

COLUMNS = ("judgment", "annotator", "sentence", "output", "systems", "verdict")


@dataclass(frozen=True, slots=True)
class VerdictCounts:
    """How often outputs were judged valid.

    Attributes:
        of: the system or the annotator; None for all together.
        outputs: how many different outputs of sentences were judged.
        valid: verdicts *yes*.
        invalid: verdicts *no*.
        cannot_say: verdicts *cannot-say*.
        share: valid / (valid + invalid); None where there is neither.
    """

    of: str | None
    outputs: int
    valid: int
    invalid: int
    cannot_say: int
    share: float | None

    @property
    def verdicts(self) -> int:
        """Number of verdicts."""
        return self.valid + self.invalid + self.cannot_say


def verdicts_on_outputs(snapshot: pd.DataFrame) -> pd.DataFrame:
    """The rows with a verdict on an output, in the columns `COLUMNS`, and the `unit`: the output's number.

    Raises `SnapshotError` for missing columns.
    """
    if missing := [column for column in COLUMNS if column not in snapshot.columns]:
        raise SnapshotError(f"the snapshot lacks the columns: {', '.join(missing)}")
    judged = snapshot["verdict"].isin(list(OUTCOMES)) & snapshot["output"].notna()
    rows = snapshot.loc[judged, list(COLUMNS)].reset_index(drop=True)
    return rows.assign(unit=numbered(rows["sentence"], rows["output"]).astype(np.int32))


def verdict_units(snapshot: pd.DataFrame) -> OutputPairs:
    """The verdicts in the form in which `ranking.agreement_over` compares annotators: a unit is an output.

    *yes*, *cannot-say* and *no* are three categories; their order does not count.
    """
    rows = verdicts_on_outputs(snapshot)
    annotators = sorted(snapshot["annotator"].astype("object").unique())
    return OutputPairs(
        annotators=tuple(annotators),
        annotator=pd.Categorical(rows["annotator"].astype("object"), categories=annotators).codes,
        pair=rows["unit"].to_numpy(dtype=np.int32),
        outcome=np.array([OUTCOMES[verdict] for verdict in rows["verdict"]], dtype=np.int8),
    )


def verdicts_by_system(snapshot: pd.DataFrame) -> tuple[VerdictCounts, ...]:
    """The counts of each system, in alphabetical order; a verdict counts for each system of its output."""
    rows = verdicts_on_outputs(snapshot).explode("systems")
    return tuple(_counts(str(name), part) for name, part in rows.groupby("systems", observed=True))


def verdicts_by_annotator(snapshot: pd.DataFrame) -> tuple[VerdictCounts, ...]:
    """The counts of each annotator with a verdict, in alphabetical order."""
    rows = verdicts_on_outputs(snapshot)
    return tuple(_counts(str(name), part) for name, part in rows.groupby("annotator", observed=True))


def verdicts_of_all(snapshot: pd.DataFrame) -> VerdictCounts:
    """The counts of all verdicts together."""
    return _counts(None, verdicts_on_outputs(snapshot))


def gold_cases(snapshot: pd.DataFrame, roles: Mapping[str, str]) -> pd.DataFrame:
    """The verdicts whose answer is known: `annotator`, and whether it is `passed`, a row each.

    An output of a reference is valid, even if systems produced it too; one of controls alone is not.
    *cannot-say* is never right. `roles` gives the role of each system.
    """
    rows = verdicts_on_outputs(snapshot)
    return _gold(rows, roles, right=rows["verdict"] == VALID, wrong=rows["verdict"] == INVALID)


def gold_cases_of_edits(snapshot: pd.DataFrame, roles: Mapping[str, str]) -> pd.DataFrame:
    """The screens whose edits have a known verdict: `annotator`, and whether it is `passed`, a row each.

    Edits of a reference are right, even if systems make them too; those of controls alone are wrong. A screen
    is passed if at least half of its verdicts say so, which *cannot say* never does. So somebody who accepts
    everything fails with controls, however many edits references have, and somebody who rejects everything
    with references.
    """
    verdicts = edit_verdicts(snapshot).drop_duplicates(["judgment", "question"])
    shares = pd.DataFrame(
        {
            name: (verdicts["outcome"] == value).groupby(verdicts["judgment"], observed=True).mean()
            for name, value in DECIDED.items()
        }
    )
    rows = verdicts.drop_duplicates("judgment").set_index("judgment")
    halves = shares.reindex(rows.index) >= 1 / 2
    return _gold(rows, roles, right=halves["accepted"], wrong=halves["rejected"])


def _gold(
    rows: pd.DataFrame, roles: Mapping[str, str], *, right: pd.Series[bool], wrong: pd.Series[bool]
) -> pd.DataFrame:
    """The rows of outputs of references, which should be called right, and of controls alone: wrong."""
    roles_of_output = [{roles.get(name) for name in systems} for systems in rows["systems"]]
    is_reference = np.array([REFERENCE in found for found in roles_of_output], dtype=bool)
    is_control = np.array([found == {CONTROL} for found in roles_of_output], dtype=bool)
    passed = np.where(is_reference, right.to_numpy(), wrong.to_numpy())
    is_gold = is_reference | is_control
    annotators = rows["annotator"].astype("object").to_numpy()
    return pd.DataFrame({"annotator": annotators[is_gold], "passed": passed[is_gold].astype(bool)})


def _counts(of: str | None, rows: pd.DataFrame) -> VerdictCounts:
    given = rows["verdict"].value_counts()
    valid, invalid, unsure = (int(given.get(word, 0)) for word in (VALID, INVALID, CANNOT_SAY))
    decided = valid + invalid
    return VerdictCounts(
        of, int(rows["unit"].nunique()), valid, invalid, unsure, valid / decided if decided else None
    )
