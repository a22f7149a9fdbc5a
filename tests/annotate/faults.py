"""Deliberate errors in the middle of an import."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django.db.models import Model


def fail_at(
    monkeypatch: pytest.MonkeyPatch, table: type[Model], call: int, fault: Callable[[], None]
) -> None:
    """From now on, the n-th bulk of rows for this table is stored, and then the fault happens."""
    manager = table._default_manager
    bulk_create = manager.bulk_create
    calls = 0

    def faulty(rows: Iterable[Any]) -> list[Any]:
        nonlocal calls
        calls += 1
        stored = bulk_create(rows)
        if calls == call:
            fault()
        return stored

    monkeypatch.setattr(manager, "bulk_create", faulty)


def crash() -> None:
    raise RuntimeError("a bug, a full disk, a lost connection")


def press_ctrl_c() -> None:
    raise KeyboardInterrupt
