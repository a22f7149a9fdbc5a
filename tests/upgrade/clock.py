"""The clock of a site: leases, sessions and cookies of a stored database do not expire."""

from collections.abc import Callable
from datetime import datetime
from types import SimpleNamespace

import pytest
from django.core import signing
from django.utils import timezone


def set_clock(monkeypatch: pytest.MonkeyPatch, now: Callable[[], datetime]) -> None:
    """Let Django, and the dates within its signed cookies, take the time from here."""
    monkeypatch.setattr(timezone, "now", now)
    monkeypatch.setattr(signing, "time", SimpleNamespace(time=lambda: now().timestamp()))
