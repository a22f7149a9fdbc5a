"""The folder whose learned metrics are offered beside the shipped ones.

It is read anew whenever a file in it changes, so that a metric trained by one process is there for all.
"""

from collections.abc import Mapping
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from metrics.learned.saved import ModelError, SavedModel, read_model, write_model

if TYPE_CHECKING:
    from metrics.learned.metric import LearnedMetric

ENDING = ".json"

_folders: list[Path] = []
_kept: "dict[Path, tuple[tuple[int, int], type[LearnedMetric] | ModelError]]" = {}
_reading = RLock()


def set_up(folder: Path | None) -> None:
    """Say which folder; None for none. It need not exist yet."""
    _folders[:] = [folder] if folder else []


def offered() -> "Mapping[str, type[LearnedMetric]]":
    """The metrics of the folder, by name."""
    return {each.name: each for each in _read() if not isinstance(each, ModelError)}


def faults() -> tuple[str, ...]:
    """Why other files of the folder cannot be used, a sentence each."""
    return tuple(str(each) for each in _read() if isinstance(each, ModelError))


def offer(model: SavedModel) -> None:
    """Put a model on the shelf, from where it is offered; one that is there already stays.

    Raises:
        ModelError: there is no folder, or its features are not those that its metrics give here.
    """
    from metrics.learned.metric import metric_of_model

    if not _folders:
        raise ModelError("no folder for learned metrics is set up")
    metric_of_model(model)
    folder = _folders[0]
    folder.mkdir(parents=True, exist_ok=True)
    write_model(model, folder / f"{model.name}{ENDING}")


def withdraw(name: str) -> None:
    """Offer a metric no longer. Stored scores by it stay."""
    for folder in _folders:
        (folder / f"{name}{ENDING}").unlink(missing_ok=True)


def _read() -> "list[type[LearnedMetric] | ModelError]":
    with _reading:
        return [_metric(path) for folder in _folders for path in sorted(folder.glob(f"learned-*{ENDING}"))]


def _metric(path: Path) -> "type[LearnedMetric] | ModelError":
    from metrics.learned.metric import metric_of_model

    try:
        found = path.stat()
        state = (found.st_mtime_ns, found.st_size)
        if path in _kept and _kept[path][0] == state:
            return _kept[path][1]
        model = read_model(path)
        if path.name != f"{model.name}{ENDING}":
            raise ModelError(f"{path} holds {model.name}: give the file that name.")
        made: type[LearnedMetric] | ModelError = metric_of_model(model)
    except ModelError as error:
        made = error
    except OSError as error:
        return ModelError(f"{path} cannot be read: {error}.")
    _kept[path] = (state, made)
    return made
