"""The process that draws figures for another one: `figures.renderer` starts it and talks to it.

A request is a line of JSON: the name of a function of vl-convert, what to draw, and options. The answer is a
line of JSON, whether it was drawn and the number of bytes, and then these bytes: the figure, or the error.
"""

import json
import os
import signal
from pathlib import Path

import vl_convert  # noqa: TID253  # the only process that needs it

FONTS = Path(__file__).with_name("fonts")

MOST_BYTES = 300 * 2**20
"""Memory above which the process ends; the next figure starts another."""


def main() -> None:
    """Answer requests until there are no more, or until the process has grown."""
    vl_convert.register_font_directory(str(FONTS))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the process that asks.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # What a library prints is no answer.
    with os.fdopen(0, "rb") as requests:
        for request in requests:
            drawn, figure = _drawn(*json.loads(request))
            answers.write(json.dumps([drawn, len(figure)]).encode() + b"\n" + figure)
            answers.flush()
            if _resident_bytes() > MOST_BYTES:
                return


def _drawn(function: str, given: object, options: dict[str, float]) -> tuple[bool, bytes]:
    try:
        figure = getattr(vl_convert, function)(given, **options)
    except Exception as error:  # whatever it is, the process that asks raises it
        return False, str(error).partition("\n")[0].encode()
    return True, figure.encode() if isinstance(figure, str) else bytes(figure)


def _resident_bytes() -> int:
    """Memory of this process, as far as Linux tells; `getrusage` would count the peak of its parent."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return 0


if __name__ == "__main__":
    main()
