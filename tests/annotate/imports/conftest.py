"""Uploads of a test are stored in a separate folder."""

from pathlib import Path

import pytest
from django.conf import LazySettings


@pytest.fixture(autouse=True)
def waiting_room(settings: LazySettings, tmp_path: Path) -> Path:
    """The folder in which uploads wait."""
    settings.UPLOADS_DIR = tmp_path
    return tmp_path
