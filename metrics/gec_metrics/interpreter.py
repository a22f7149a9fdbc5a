"""The process of another interpreter that answers lines of JSON with lines of JSON."""

import json
import os
import select
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

from metrics.base.metric import MetricError

WORKER = Path(__file__).with_name("worker.py")

HIDDEN = ("SECRET_KEY", "DATABASE_URL", "CELERY_BROKER_URL", "PYTHONPATH", "PYTHONHOME")
"""Variables of Assay's environment that the interpreter does not get."""

OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
"""Variables that keep it from downloading models, unless Assay's environment says otherwise."""

LOOKS_EVERY_SECONDS = 0.5
SECONDS_TO_END = 2
MOST_BYTES = 16_000_000
"""Longest answer of the interpreter."""

QUOTED_CHARACTERS = 200

Wait = Callable[[], None]
"""Is called every half second while an answer is awaited; an exception that it raises ends the wait."""


class GecMetricsError(MetricError):
    """gec-metrics, or the interpreter that runs it, does not do what was asked; the message says why."""


class Interpreter:
    """Runs the worker in an interpreter; ended by `close`, and when this process ends, in any way.

    Args:
        python: path of the interpreter.
        seconds: how long to wait for an answer.

    Raises:
        GecMetricsError: the interpreter cannot be started.
    """

    def __init__(self, python: str, seconds: float) -> None:
        self._python = python
        self._seconds = seconds
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `close`)
        self._unread = b""
        environment = {name: value for name, value in os.environ.items() if name not in HIDDEN}
        try:
            self._process = subprocess.Popen(  # noqa: S603 (the operator names the interpreter)
                [python, str(WORKER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env={**OFFLINE, **environment},
                bufsize=0,
                # With a group of its own, it can be ended with all that it has started.
                start_new_session=True,
            )
        except OSError as error:
            self._errors.close()
            raise GecMetricsError(
                f"The interpreter of gec-metrics, {python}, cannot be started: {error.strerror}. "
                "Check GEC_METRICS_PYTHON."
            ) from error
        assert self._process.stdin is not None  # noqa: S101
        assert self._process.stdout is not None  # noqa: S101
        self._input, self._output = self._process.stdin, self._process.stdout
        os.set_blocking(self._input.fileno(), False)

    def ask(self, request: Mapping[str, object], wait: Wait) -> Mapping[str, object]:
        """The answer to a request.

        Raises:
            GecMetricsError: it does not answer in time, or with an error, or not in JSON, or it has ended.
        """
        deadline = monotonic() + self._seconds
        unsent = memoryview(json.dumps(request).encode() + b"\n")
        while unsent:
            self._await(deadline, wait, writing=True)
            try:
                unsent = unsent[os.write(self._input.fileno(), unsent) :]
            except BrokenPipeError as error:
                raise self._ended() from error
        return self._answer(deadline, wait)

    def first(self, wait: Wait) -> Mapping[str, Any]:
        """The line that it writes before it is asked anything.

        Raises:
            GecMetricsError: as `ask`.
        """
        return self._answer(monotonic() + self._seconds, wait)

    def close(self) -> None:
        """End the process and all that it has started."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        for file in (self._input, self._output, self._errors):
            file.close()

    def _answer(self, deadline: float, wait: Wait) -> Mapping[str, object]:
        while b"\n" not in self._unread:
            self._await(deadline, wait, writing=False)
            read = os.read(self._output.fileno(), 1 << 16)
            if not read:
                raise self._ended()
            self._unread += read
            if len(self._unread) > MOST_BYTES:
                raise self._garbage(self._unread)
        line, _, self._unread = self._unread.partition(b"\n")
        try:
            answer = json.loads(line, parse_constant=lambda _: None)
        except ValueError as error:
            raise self._garbage(line) from error
        if not isinstance(answer, dict):
            raise self._garbage(line)
        if "error" in answer:
            raise GecMetricsError(f"gec-metrics reports an error: {_quoted(str(answer['error']))}")
        return answer

    def _await(self, deadline: float, wait: Wait, *, writing: bool) -> None:
        """Return when bytes can be written or read; they can be read when the process has ended, too."""
        readers = [] if writing else [self._output]
        writers = [self._input] if writing else []
        while not any(select.select(readers, writers, [], LOOKS_EVERY_SECONDS)):
            wait()
            if monotonic() > deadline:
                raise GecMetricsError(
                    f"gec-metrics did not answer within {self._seconds:g} seconds (GEC_METRICS_SECONDS)."
                )

    def _ended(self) -> GecMetricsError:
        try:
            status = self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            return GecMetricsError(f"The interpreter of gec-metrics, {self._python}, closed its output.")
        how = f"status {status}" if status >= 0 else f"signal {signal.Signals(-status).name}"
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        last = f": {_quoted(lines[-1])}" if lines else "."
        return GecMetricsError(f"The interpreter of gec-metrics, {self._python}, ended with {how}{last}")

    def _garbage(self, line: bytes) -> GecMetricsError:
        text = _quoted(line.decode("utf-8", "replace"))
        return GecMetricsError(
            f"The interpreter of gec-metrics, {self._python}, wrote something else than an answer: {text!r}."
        )


def _quoted(text: str) -> str:
    return text if len(text) <= QUOTED_CHARACTERS else f"{text[:QUOTED_CHARACTERS]}…"
