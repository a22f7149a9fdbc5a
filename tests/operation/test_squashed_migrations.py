"""Databases that hold a part of the squashed migrations are refused in words."""

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from operation.squashed_migrations import LAST_COMMIT, upgradable

pytestmark = pytest.mark.django_db


def applied(*names: str) -> None:
    recorder = MigrationRecorder(connection)
    recorder.migration_qs.filter(app="jobs").delete()
    for name in names:
        recorder.record_applied("jobs", name)


@pytest.mark.parametrize(
    "names", [(), ("0001_squashed",), ("0001_jobs", "0002_plain_help_texts", "0003_signs_of_life")]
)
def test_a_database_without_any_or_with_all_can_be_upgraded(names: tuple[str, ...]) -> None:
    applied(*names)
    assert upgradable(["default"]) == []


def test_one_with_a_part_says_what_to_do_first() -> None:
    applied("0001_jobs", "0002_plain_help_texts")
    with pytest.raises(SystemCheckError, match=f"Check out {LAST_COMMIT}"):
        call_command("migrate", verbosity=0, skip_checks=False)
