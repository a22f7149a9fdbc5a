"""Draws specifications by vl-convert, in a process of its own.

Its JavaScript engine takes more memory with each figure, which a web process would keep. The process is
started with the first figure, ends with the one that asks, and is replaced when it has grown or died.
"""

import atexit
import json
import os
import subprocess
import sys
from pathlib import Path
from threading import Lock
from typing import IO, cast

from figures.chart_types import Specification

PROCESS = Path(__file__).with_name("renderer_process.py")
ATTEMPTS = 2
"""A process that has ended since the last figure is noticed with the first one."""


class DrawingError(Exception):
    """A figure that cannot be drawn, with the words of the renderer."""


def vegalite_to_svg(specification: Specification) -> str:
    """The figure of a Vega-Lite specification as SVG.

    Raises:
        DrawingError: it cannot be drawn.
    """
    return _renderers[-1].drawn("vegalite_to_svg", specification).decode()


def svg_to_pdf(svg: str) -> bytes:
    """The figure as PDF.

    Raises:
        DrawingError: it cannot be drawn.
    """
    return _renderers[-1].drawn("svg_to_pdf", svg)


def svg_to_png(svg: str, **options: float) -> bytes:
    """The figure as PNG; `scale` and `ppi` are the options of vl-convert.

    Raises:
        DrawingError: it cannot be drawn.
    """
    return _renderers[-1].drawn("svg_to_png", svg, **options)


class _Renderer:
    """The process of this process; threads take turns."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def drawn(self, function: str, given: object, **options: float) -> bytes:
        request = json.dumps([function, given, options]).encode() + b"\n"
        with self._lock:
            for _ in range(ATTEMPTS):
                answer = self._answer(request)
                if answer is not None:
                    is_drawn, figure = answer
                    if is_drawn:
                        return figure
                    raise DrawingError(figure.decode())
                self.end()
        raise DrawingError("the process that draws figures ended")

    def _answer(self, request: bytes) -> tuple[bool, bytes] | None:
        """Whether the figure was drawn, and the figure or the error; None if the process has ended."""
        process = self._started()
        requests, answers = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
        try:
            requests.write(request)
            requests.flush()
        except BrokenPipeError:
            return None
        if not (head := answers.readline()):
            return None
        is_drawn, size = json.loads(head)
        figure = answers.read(size)
        return (is_drawn, figure) if len(figure) == size else None

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            command = [sys.executable, "-P", str(PROCESS)]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603  # constant
        return self._process

    def end(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


_renderers = [_Renderer()]
"""That of this process, after those of the processes that it was forked from."""

os.register_at_fork(after_in_child=lambda: _renderers.append(_Renderer()))
atexit.register(lambda: _renderers[-1].end())
