"""Long downloads leave time to other requests of the process."""

from collections.abc import Iterator

import pytest

from annotate.web import downloads
from annotate.web.downloads import LONGEST_PAUSE, giving_way


def test_pauses_are_as_long_as_the_pieces_take_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    now, pauses = 0.0, list[float]()

    def pieces() -> Iterator[bytes]:
        nonlocal now
        for seconds in (0.02, 0.05, 7.0):
            now += seconds
            yield b"piece"

    monkeypatch.setattr(downloads, "thread_time", lambda: now)
    monkeypatch.setattr(downloads, "sleep", pauses.append)
    assert list(giving_way(pieces())) == [b"piece"] * 3
    assert pauses == pytest.approx([0.02, 0.05, LONGEST_PAUSE])
