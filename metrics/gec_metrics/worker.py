"""Answers requests for scores of gec-metrics: lines of JSON on standard input and output.

The interpreter that has gec-metrics runs this file (Python 3.9 or later); it needs nothing else of Assay.

The first line that it writes says what is there::

    {"version": "0.1.0", "metrics": [{"id": "impara", "label": "IMPARA", "references": false}]}

Then each request is answered by a line with a score for each hypothesis, null where it is no finite number::

    {"metric": "impara", "options": {}, "sources": ["..."], "hypotheses": ["..."], "references": []}
    {"scores": [0.93]}

or, as the first line may be, by `{"error": "..."}`. References are a list of texts for each reference. The
process ends as soon as standard input does, even in the middle of a computation.
"""

from __future__ import annotations

import inspect
import json
import math
import os
import queue
import sys
import threading
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TextIO

INPUTS = ("sources", "hypotheses", "references")


def main() -> None:
    """Answer until standard input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # What libraries print is no answer.
    requests: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_read, args=(requests,), daemon=True).start()
    try:
        library = import_module("gec_metrics")
        _write(answers, {"version": _version(library), "metrics": _listed(library)})
    except Exception as error:  # any error of the package is reported
        _write(answers, {"error": _in_words(error)})
        return
    loaded: dict[str, object] = {}
    while True:
        _write(answers, _answer(library, loaded, json.loads(requests.get())))


def _read(requests: queue.Queue[str]) -> None:
    for line in sys.stdin:
        requests.put(line)
    os._exit(0)


def _write(answers: TextIO, answer: dict[str, object]) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


def _version(library: object) -> str:
    try:
        return version("gec-metrics")
    except PackageNotFoundError:
        return str(getattr(library, "__version__", "unknown"))


def _listed(library: Any) -> list[dict[str, object]]:
    classes = {name: library.get_metric(name) for name in library.get_metric_ids()}
    return [
        {"id": name, "label": cls.__name__, "references": "references" in _inputs(cls)}
        for name, cls in classes.items()
    ]


def _inputs(cls: Any) -> list[str]:
    """The inputs of the metric, among sources, hypotheses and references."""
    taken = inspect.signature(cls.score_sentence).parameters
    return [name for name in INPUTS if name in taken]


def _answer(library: Any, loaded: dict[str, Any], request: dict[str, Any]) -> dict[str, object]:
    try:
        name = request["metric"]
        if name not in loaded:
            cls = library.get_metric(name)
            loaded[name] = cls(cls.Config(**request["options"]))
        metric = loaded[name]
        scores = metric.score_sentence(**{each: request[each] for each in _inputs(type(metric))})
        return {"scores": [_number(score) for score in scores]}
    except Exception as error:  # any error of a metric is reported
        return {"error": _in_words(error)}


def _number(score: Any) -> float | None:
    value = float(score)
    return value if math.isfinite(value) else None


def _in_words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    # The folder of this file is none of the interpreter's packages.
    here = Path(__file__).resolve().parent
    sys.path[:] = [path for path in sys.path if Path(path).resolve() != here]
    main()
