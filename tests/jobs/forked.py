"""Makes a forked process a Celery worker."""

import os
import sys
from collections.abc import Mapping, Sequence

from celery.__main__ import main


def be_celery(arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """Go on as `celery` with these arguments, in this environment, without a word."""
    os.environ.clear()
    os.environ.update(environment)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for output in (1, 2):
        os.dup2(nowhere, output)
    sys.argv = ["celery", *arguments]
    main()
