"""Files uploaded for a job: a folder for each upload, with a folder for each field of the form."""

import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import IO, Any
from uuid import UUID, uuid4

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest, QueryDict
from django.http.multipartparser import MultiPartParser, MultiPartParserError
from django.utils import timezone
from django.utils.datastructures import MultiValueDict

KEPT_FOR = timedelta(days=1)
"""How long an unconfirmed upload is kept."""


_EPILOGUE = 1000
"""Bytes after the last part of a form in which its end is looked for."""


class WholeForms(FileUploadHandler):
    """Refuses a form with files that was cut off: Django would read the parts that are there."""

    def handle_raw_input(  # type: ignore[override]  # Django passes bytes as the boundary
        self,
        input_data: IO[bytes],
        META: dict[str, str],  # noqa: N803  # Django's name
        content_length: int,
        boundary: bytes,
        encoding: str | None = None,
    ) -> "tuple[QueryDict, MultiValueDict[str, UploadedFile[bytes]]]":
        """The fields and files of the form.

        Raises:
            MultiPartParserError: it does not end with the boundary that ends it.
        """
        assert self.request is not None  # noqa: S101
        body = _Tail(input_data)
        others = [handler for handler in self.request.upload_handlers if handler is not self]
        parser = MultiPartParser(META, body, others, encoding)  # type: ignore[arg-type]  # it only reads
        fields, files = parser.parse()
        if b"--" + boundary + b"--" not in body.tail:
            raise MultiPartParserError("The form ends before its last boundary.")
        return fields, files

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None


class _Tail:
    """A stream that remembers the last bytes that were read."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.tail = b""

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        self.tail = (self.tail + data[-_EPILOGUE:])[-_EPILOGUE:]
        return data


class CappedUploads(FileUploadHandler):
    """Reads past the files of a request that is larger than `UPLOAD_MAX_MB`, and stores none of them."""

    def new_file(self, *about: Any, **kwargs: Any) -> None:
        super().new_file(*about, **kwargs)
        if self.request is not None and is_too_large(self.request):
            raise SkipFile

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None


def is_too_large(request: HttpRequest) -> bool:
    """Whether the request, with all its files, is larger than what may be uploaded at once."""
    most: int = settings.UPLOAD_MAX_MB * 2**20
    return int(request.META.get("CONTENT_LENGTH") or 0) > most


def keep_files(
    files: Mapping[str, Sequence["UploadedFile[bytes]"]],
    *,
    earlier: UUID | str | None = None,
    still_wanted: Mapping[str, Sequence[str]] | None = None,
) -> UUID:
    """Store the files of each field by their names, and delete uploads that nobody confirmed in time.

    Args:
        files: those that were sent.
        earlier: an upload whose files are reused; none has the name of a new one.
        still_wanted: the names of these by field.
    """
    _discard_old(spared=str(earlier))
    upload = uuid4()
    try:
        _store_files(upload, files, earlier, still_wanted or {})
    except BaseException:
        discard(upload)
        raise
    return upload


def _store_files(
    upload: UUID,
    files: Mapping[str, Sequence["UploadedFile[bytes]"]],
    earlier: UUID | str | None,
    still_wanted: Mapping[str, Sequence[str]],
) -> None:
    for field, names in still_wanted.items():
        for name in names:
            shutil.copyfile(folder_of(str(earlier)) / field / name, _folder_of_field(upload, field) / name)
    for field, uploaded in files.items():
        for file in uploaded:
            with (_folder_of_field(upload, field) / str(file.name)).open("xb") as copy:
                file.seek(0)
                shutil.copyfileobj(file, copy)


def files_in(upload: UUID | str) -> dict[str, list[str]]:
    """The names of the files of an upload by field; nothing if they are gone."""
    return {
        folder.name: sorted(path.name for path in folder.iterdir()) for folder in folder_of(upload).glob("*/")
    }


def folder_of(upload: UUID | str) -> Path:
    """The folder with the files of an upload."""
    return Path(settings.UPLOADS_DIR) / str(UUID(str(upload)))


def _folder_of_field(upload: UUID, field: str) -> Path:
    folder = folder_of(upload) / field
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def discard(upload: UUID | str) -> None:
    """Delete the files of an upload."""
    shutil.rmtree(folder_of(upload), ignore_errors=True)


def _discard_old(*, spared: str) -> None:
    before = (timezone.now() - KEPT_FOR).timestamp()
    for folder in Path(settings.UPLOADS_DIR).glob("*/"):
        with suppress(FileNotFoundError):  # Another process is deleting it.
            if folder.stat().st_mtime < before and folder.name != spared:
                shutil.rmtree(folder, ignore_errors=True)
