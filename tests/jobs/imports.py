"""An import that takes a while."""

import json

from annotate.models.job_kinds import IMPORT_UPLOAD
from annotate.web.uploads import keep_files
from jobs.models import Job
from jobs.queue import queue
from tests.annotate.uploading import sent
from tests.jobs.kinds import user

SYSTEMS = 12


def made_up_corpus(sentences: int) -> str:
    """A corpus as JSON Lines, with as many outputs a sentence as there are systems."""
    return "".join(map(_line, range(sentences)))


def queued_import(sentences: int) -> Job:
    """The queued import of a made-up corpus, confirmed."""
    upload = keep_files({"jsonl": [sent("corpus.jsonl", made_up_corpus(sentences))]})
    options = {"name": "made-up", "language": "en", "absent": "auto", "lenient": False}
    return queue(
        kind=IMPORT_UPLOAD,
        title="Import of corpus made-up",
        parameters={
            "upload": str(upload),
            "what": "corpus",
            "options": options,
            "files": {"jsonl": ["corpus.jsonl"]},
        },
        owner=user(),
    )


def _line(number: int) -> str:
    outputs = {f"system-{system}": f"This is sentence {number} of {system} ." for system in range(SYSTEMS)}
    return json.dumps({"source": f"This be sentence {number} .", "outputs": outputs}) + "\n"
