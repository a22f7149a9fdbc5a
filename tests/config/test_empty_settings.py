"""An empty variable counts as not set, so that a line of `.env` can be left empty."""

import os
import subprocess
import sys
from pathlib import Path


def test_an_empty_database_url_is_the_default(tmp_path: Path) -> None:
    asked = "from django.conf import settings; print(settings.DATABASES['default']['NAME'])"
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": "",
        "VAR_DIR": str(tmp_path),
    }
    run = subprocess.run(
        [sys.executable, "-c", asked], env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == str(tmp_path / "assay.sqlite3")
