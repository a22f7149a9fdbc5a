"""The default signing key of an installation: generated once, and stored with its data."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from django.core.management.utils import get_random_secret_key


def read_or_make_secret_key(path: Path) -> str:
    """The key in the file; when there is no file yet, a new random one that only its owner can read."""
    if not path.exists():
        descriptor, draft = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(descriptor, "w") as file:
            file.write(get_random_secret_key())
        # A link appears whole or not at all, so two processes that start at once agree on one key.
        with suppress(FileExistsError):
            os.link(draft, path)
        Path(draft).unlink()
    return path.read_text()
