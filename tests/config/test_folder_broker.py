"""The embedded broker never delivers half a message, which would stop the worker and all other processes."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu.connection import Connection
from kombu.exceptions import ChannelError

from config.folder_broker import Transport

QUEUE = "assay-of-this-test"


@pytest.fixture
def channel(tmp_path: Path) -> Iterator[Any]:
    folders = dict.fromkeys(("data_folder_in", "data_folder_out", "control_folder"), str(tmp_path))
    with Connection(transport=Transport, transport_options=folders) as connection:  # type: ignore[no-untyped-call]
        yield connection.channel()


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Writing breaks off after so many bytes, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_message_is_taken_once(channel: Any) -> None:
    channel._put(QUEUE, {"body": "work"})
    assert channel._get(QUEUE) == {"body": "work"}
    with pytest.raises(Empty):
        channel._get(QUEUE)


def test_a_message_that_is_only_half_written_is_not_there(channel: Any, tmp_path: Path) -> None:
    with files_of_at_most(5), pytest.raises(ChannelError):
        channel._put(QUEUE, {"body": "work"})
    assert list(tmp_path.iterdir()) == []


def test_a_message_that_a_crash_cut_short_is_passed_over(channel: Any, tmp_path: Path) -> None:
    (tmp_path / f"1.{QUEUE}.msg").touch()
    with pytest.raises(Empty):
        channel._get(QUEUE)
