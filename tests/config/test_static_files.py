"""Files collected by `collectstatic`."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.test import override_settings

NAMED = re.compile(r"{% static '([^']+)' %}")
MOST_MB = 2


@pytest.fixture
def collected(tmp_path: Path) -> Iterator[Path]:
    """The folder with all files, as a server has it."""
    storages = {**settings.STORAGES, "staticfiles": {"BACKEND": "config.static_files.StaticFiles"}}
    with override_settings(STATIC_ROOT=tmp_path, STORAGES=storages):
        call_command("collectstatic", interactive=False, verbosity=0)
        yield tmp_path


@pytest.mark.slow
def test_the_files_that_pages_name_are_collected_without_the_bulk_of_their_packages(collected: Path) -> None:
    templates = (settings.BASE_DIR / "templates").rglob("*.html")
    names = {name for template in templates for name in NAMED.findall(template.read_text())}
    assert "css/assay.css" in names
    for name in names:
        address = staticfiles_storage.url(name).removeprefix(f"/{settings.STATIC_URL.strip('/')}/")
        assert address != name
        assert (collected / address).is_file()
    assert sum(file.stat().st_size for file in collected.rglob("*")) < MOST_MB * 2**20
