"""The steps of writing a release. Finished ones need not be done again if the process dies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar

from cattrs.preconf.json import make_converter

from analysis.releases.tables import file_digest
from core.progress import Progress, over

Result = TypeVar("Result")

_JSON = make_converter()
_JSON.register_structure_hook(NoneType, lambda value, kind: None)


@dataclass(frozen=True, slots=True)
class _Finished:
    """A finished step: SHA-256 of the files that it wrote, by path, and its result as JSON."""

    files: Mapping[str, str]
    result: str


@dataclass(frozen=True, slots=True)
class _Notes:
    inputs: str
    steps: Mapping[str, _Finished]


class Steps:
    """Does steps that write files to a folder, each once for the same inputs.

    Finished steps are noted in a file, if one is named. At the start, files that belong to none of them are
    deleted. If the inputs have changed, or a file is not as its step wrote it, all steps are done again.
    """

    def __init__(
        self, folder: Path, progress: Progress, *, notes: Path | None = None, inputs: str = ""
    ) -> None:
        """Find the finished steps.

        Args:
            folder: the folder to which the steps write.
            progress: gets reports.
            notes: file of the notes, outside of the folder; None if no other process will go on.
            inputs: a text that changes with everything that the steps read.
        """
        self._folder, self._progress, self._notes, self._inputs = folder, progress, notes, inputs
        self._finished = dict(_noted(notes, inputs)) if notes else {}
        for path, digest in over(self._files.items(), "Looking at the finished steps", progress):
            if not (folder / path).is_file() or file_digest(folder / path, progress) != digest:
                self._finished = {}
                break
        for path in self._paths() - self._files.keys():
            (folder / path).unlink()
        for each in sorted(folder.rglob("*/"), reverse=True):
            with suppress(OSError):  # It is not empty.
                each.rmdir()

    def done(self, step: str, kind: Any, work: Callable[[], Result]) -> Result:
        """The result of a step, which is of this type: the noted one, or else that of doing the work."""
        if step in self._finished:
            noted: Result = _JSON.loads(self._finished[step].result, kind)
            return noted
        result = work()
        if self._notes:
            self._progress.step()  # Long work may not have noticed that it was cancelled.
            new = sorted(self._paths() - self._files.keys())
            files = {path: file_digest(self._folder / path, self._progress) for path in new}
            self._finished[step] = _Finished(files, _JSON.dumps(result, kind))
            draft = self._notes.with_suffix(".part")
            draft.write_text(_JSON.dumps(_Notes(self._inputs, self._finished)), encoding="utf-8")
            draft.replace(self._notes)
        return result

    @property
    def _files(self) -> dict[str, str]:
        """SHA-256 of the files of finished steps, by path."""
        return {path: digest for each in self._finished.values() for path, digest in each.files.items()}

    def _paths(self) -> set[str]:
        found = (path for path in self._folder.rglob("*") if path.is_file())
        return {path.relative_to(self._folder).as_posix() for path in found}


def _noted(notes: Path, inputs: str) -> Mapping[str, _Finished]:
    """The steps that were finished for these inputs."""
    try:
        noted = _JSON.loads(notes.read_text(encoding="utf-8"), _Notes)
    except (OSError, ValueError):  # There are none, or the machine died before the disk had them.
        return {}
    return noted.steps if noted.inputs == inputs else {}
