"""An installation as described in `docs/settings.md` passes Django's deployment checks."""

import os
import subprocess
import sys

import pytest
from django.conf import settings


@pytest.mark.parametrize(
    ("check", "variables"),
    [
        (("--deploy", "--fail-level", "WARNING"), {"HTTPS": "True", "ALLOWED_HOSTS": "assay.example.org"}),
        ((), {"LOG_LEVEL": "info"}),
    ],
    ids=["behind a proxy that speaks HTTPS", "a level in small letters"],
)
def test_settings_are_accepted(
    monkeypatch: pytest.MonkeyPatch, check: tuple[str, ...], variables: dict[str, str]
) -> None:
    monkeypatch.delenv("DJANGO_ALLOW_ASYNC_UNSAFE", raising=False)  # Of the browser tests.
    checked = subprocess.run(
        [sys.executable, "manage.py", "check", *check],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr
