"""Changes by systems (Napoles et al. 2019, "GMEG", section 4.3 and Table 6)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.later import pd
from ranking.judgments.shown_outputs import ShownOutputs
from ranking.judgments.snapshot import SnapshotError, system_names


@dataclass(frozen=True, slots=True)
class SystemChanges:
    """Changes by one system (GMEG, Table 6 and section 4.3).

    Attributes:
        system: its name.
        sentences: the sentences with an output of the system.
        unchanged: the share of these whose output is the source's; None where the source is not known.
        flagged: the mean over sentences of the share of ratings that say "meaning changed"; None without any.
        flagged_by_most: the share of sentences in which most ratings say so; None without any.
        reason: what is missing and why, in words; None if nothing is missing.
    """

    system: str
    sentences: int
    unchanged: float | None
    flagged: float | None
    flagged_by_most: float | None
    reason: str | None


def system_changes(snapshot: pd.DataFrame, source: str | None) -> tuple[SystemChanges, ...]:
    """Changes by each system, in alphabetical order (GMEG, Table 6).

    An output is unchanged where `source`, the name of the system that is the unchanged source, is among its
    systems, since systems of the same text share one output; None if it is not known which one that is.
    `meaning_changed` is missing where nobody asked.

    Raises `SnapshotError` for missing columns.
    """
    columns = ["sentence", "output", "systems", "meaning_changed"]
    missing = [column for column in columns if column not in snapshot.columns]
    if missing:
        raise SnapshotError(f"the snapshot lacks the columns: {', '.join(missing)}")
    names = system_names(snapshot)
    rows = snapshot.loc[snapshot["output"].notna(), columns]
    flags = rows["meaning_changed"].astype("boolean")
    shown = ShownOutputs(rows, names)
    of_systems = shown.of_systems(
        flagged=shown.sums(flags.fillna(False).to_numpy(dtype=np.float64)),
        asked=shown.sums(flags.notna().to_numpy(dtype=np.float64)),
        unchanged=np.array([source in systems for systems in shown.systems], dtype=np.int64),
    )
    asked = of_systems["asked"]
    cells = pd.DataFrame(
        {
            "system": of_systems["system"],
            "unchanged": of_systems["unchanged"] > 0,
            "flagged": (of_systems["flagged"] / asked).where(asked > 0),
        }
    )
    no_source = None
    if source not in names:
        no_source = f"{source or 'the unchanged source'} is not among the systems"
    by_system = cells.groupby("system", observed=True)
    return tuple(_changes(system, sentences, no_source) for system, sentences in by_system)


def _changes(system: object, cells: pd.DataFrame, no_source: str | None) -> SystemChanges:
    flagged = cells["flagged"].dropna()
    no_flag = None if len(flagged) else "nobody was asked whether the meaning changed"
    return SystemChanges(
        system=str(system),
        sentences=len(cells),
        unchanged=None if no_source else float(cells["unchanged"].mean()),
        flagged=None if no_flag else float(flagged.mean()),
        flagged_by_most=None if no_flag else float((flagged > 0.5).mean()),
        reason="; ".join(filter(None, (no_source, no_flag))) or None,
    )
