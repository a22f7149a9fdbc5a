"""Jobs that check and import uploads."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import DatabaseError

from annotate.imports.forms import UploadForm
from annotate.models import Corpus, User
from annotate.models.job_kinds import CHECK_UPLOAD, IMPORT_UPLOAD
from annotate.web.uploads import discard
from jobs.models import Job
from jobs.queue import queue


@dataclass(frozen=True, slots=True)
class Purpose:
    """The purpose of uploaded files.

    Attributes:
        what: corpus, addition or judgments.
        form: class of the form.
        corpus: that gets an addition; else None.
    """

    what: str
    form: type[UploadForm]
    corpus: Corpus | None = None

    def title(self, options: Mapping[str, object]) -> str:
        """Title of the check."""
        if self.corpus:
            return f"Check of files for corpus {self.corpus}"
        return f"Check of {self.what} {options['name']}"


def queue_check(purpose: Purpose, form: UploadForm, upload: UUID, *, by: User) -> Job:
    """Queue the dry run of a valid form, whose files are kept under this number."""
    return _queue(CHECK_UPLOAD, purpose.title(form.options()), purpose, form, upload, by)


def queue_import(purpose: Purpose, form: UploadForm, upload: UUID, *, by: User) -> Job:
    """Queue the import of a valid form without a dry run: names and roles are as a dry run proposes them."""
    title = import_title(purpose.title(form.options()))
    return _queue(IMPORT_UPLOAD, title, purpose, form, upload, by)


def import_title(title_of_check: str) -> str:
    """Title of the import that a check allows."""
    return title_of_check.replace("Check of", "Import of", 1)


def _queue(kind: str, title: str, purpose: Purpose, form: UploadForm, upload: UUID, by: User) -> Job:
    options = form.options() | ({"corpus": str(purpose.corpus.uuid)} if purpose.corpus else {})
    parameters = {
        "upload": str(upload),
        "what": purpose.what,
        "options": options,
        "files": form.file_names(),
    }
    try:
        return queue(kind=kind, title=title, parameters=parameters, owner=by)
    except DatabaseError:
        discard(upload)
        raise
