"""The embedded broker: messages are files in a folder."""

from pathlib import Path
from queue import Empty
from typing import Any
from uuid import uuid4

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.utils.json import dumps

LOOK_EVERY_SECONDS = 0.25


class FolderChannel(filesystem.Channel):
    """Kombu's channel, except that a deleted folder or half a message does not end the worker."""

    @property
    def data_folder_in(self) -> str:
        """The folder to read from, which exists."""
        return self._folder("data_folder_in")

    @property
    def data_folder_out(self) -> str:
        """The folder to write to, which exists."""
        return self._folder("data_folder_out")

    def _put(self, queue: str, payload: object, **kwargs: object) -> None:  # type: ignore[override]  # as Kombu's
        """Add the message atomically: it gets its name only when it is written completely."""
        name = uuid4()
        draft = Path(self.data_folder_out) / f"{name}.draft"
        try:
            draft.write_text(dumps(payload))  # type: ignore[no-untyped-call]
            draft.rename(draft.with_name(f"{name}.{queue}.msg"))
        except OSError as error:
            draft.unlink(missing_ok=True)
            raise ChannelError(f"No message can be added to {draft.parent}: {error}") from error

    def _get(self, queue: str) -> Any:  # type: ignore[override]  # as Kombu's
        """The next message. A message truncated by a crash of the machine is skipped: a sweep replaces it."""
        try:
            return super()._get(queue)  # type: ignore[no-untyped-call]
        except ValueError as error:
            raise Empty from error

    def _folder(self, option: str) -> str:
        folder: str = self.transport_options[option]
        Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder


class Transport(filesystem.Transport):
    """Kombu's transport, except that the worker can stop after each check of the folder."""

    Channel = FolderChannel
    polling_interval = LOOK_EVERY_SECONDS

    def drain_events(self, connection: object, timeout: object = None) -> Any:  # type: ignore[override]  # as Kombu's
        """Deliver the next message that comes within `LOOK_EVERY_SECONDS`."""
        return super().drain_events(connection, LOOK_EVERY_SECONDS)  # type: ignore[no-untyped-call]
