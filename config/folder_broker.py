"""The embedded broker: messages are files in a folder."""

from pathlib import Path
from typing import Any

from kombu.transport import filesystem

LOOK_EVERY_SECONDS = 0.25


class Channel(filesystem.Channel):
    """Kombu's, but that a folder which somebody has deleted does not end the worker: it is made anew."""

    @property
    def data_folder_in(self) -> str:
        """The folder to read from, which exists."""
        return self._folder("data_folder_in")

    @property
    def data_folder_out(self) -> str:
        """The folder to write to, which exists."""
        return self._folder("data_folder_out")

    def _folder(self, option: str) -> str:
        folder: str = self.transport_options[option]
        Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder


class Transport(filesystem.Transport):
    """Kombu's, but that the worker may stop after each look at the folder, not only every two seconds."""

    Channel = Channel
    polling_interval = LOOK_EVERY_SECONDS

    def drain_events(self, connection: Any, timeout: Any = None) -> Any:  # type: ignore[override]  # as Kombu's
        """Deliver the next message that comes within `LOOK_EVERY_SECONDS`."""
        return super().drain_events(connection, LOOK_EVERY_SECONDS)  # type: ignore[no-untyped-call]
