"""Crowd platforms: what they call things in the address by which a worker comes, and how a worker goes back.

Pure: knows no request and no database.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from jobs.refusals import RefusedError

PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
"""What Mechanical Turk sends instead of an assignment while somebody only looks."""
SUBMIT_TO = "turkSubmitTo"
SUBMIT_HOSTS = ("www.mturk.com", "workersandbox.mturk.com")
LONGEST_VALUE = 500
_ID = re.compile(r"[A-Za-z0-9._@:+=-]{1,128}")
_CONTROL = re.compile(r"[\0-\x1f\x7f]+")


@dataclass(frozen=True, slots=True)
class Preset:
    """What is known of a platform beforehand.

    Attributes:
        worker: name of the parameter with the worker's id.
        visit: name of the parameter that tells the visits of a worker apart; empty for one visit each.
        captured: names of further parameters worth keeping.
        return_url: where a finished worker goes, with `{code}`; empty where a code is pasted or posted.
        placeholder: what the platform replaces in an address, as a format of the parameter's name.
    """

    worker: str
    visit: str
    captured: tuple[str, ...] = ()
    return_url: str = ""
    placeholder: str = "{}"


PROLIFIC = Preset(
    "PROLIFIC_PID",
    "SESSION_ID",
    ("STUDY_ID",),
    "https://app.prolific.com/submissions/complete?cc={code}",
    "{{{{%{}%}}}}",
)
MECHANICAL_TURK = Preset("workerId", "assignmentId", ("hitId", SUBMIT_TO))
OTHER = Preset("", "")

WORKER, VISIT = "ID-OF-WORKER", "ID-OF-VISIT"
"""What stands in an address for a platform whose placeholders are not known."""


class ArrivalError(RefusedError):
    """The address says not who comes; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """Who comes by a crowd link, by their own account: an id in an address is no secret.

    Attributes:
        worker: the platform's id of the worker.
        visit: tells the visits of one worker apart; may be empty.
        parameters: the further parameters that are captured, by name.
    """

    worker: str
    visit: str
    parameters: dict[str, str]


def arrival(names: Preset, query: Mapping[str, str]) -> Arrival:
    """Read the address.

    Raises:
        ArrivalError: the worker's id is missing, or it or the visit is none that a platform gives, such as a
            placeholder that nobody has filled in.
    """
    worker = query.get(names.worker, "").strip()
    visit = query.get(names.visit, "").strip() if names.visit else ""
    for name, value in ((names.worker, worker), (names.visit, visit)):
        if value and not _ID.fullmatch(value):
            raise ArrivalError(f"What it gives as {name} is no id.")
    if not worker:
        raise ArrivalError(f"It lacks {names.worker}, which says who you are.")
    captured = {name: _capped(query[name]) for name in names.captured if name in query}
    return Arrival(worker, visit, captured)


def is_preview(names: Preset, query: Mapping[str, str]) -> bool:
    """Whether somebody only looks at the task on Mechanical Turk."""
    return query.get(names.visit) == PREVIEW


def address_query(names: Preset, preset: Preset) -> str:
    """What follows the question mark in the address for the platform: its placeholders under our names."""
    meant = {names.worker: preset.worker or WORKER, names.visit: preset.visit or VISIT}
    meant |= {name: name for name in preset.captured}
    return "&".join(f"{name}={preset.placeholder.format(what)}" for name, what in meant.items() if name)


def return_address(template: str, code: str) -> str:
    """Where a worker with this code goes."""
    return template.replace("{code}", quote(code, safe=""))


def submit_address(parameters: Mapping[str, str]) -> str | None:
    """Where Mechanical Turk takes a finished assignment; None unless it is one of its own hosts."""
    try:
        parts = urlsplit(parameters.get(SUBMIT_TO, ""))
    except ValueError:
        return None
    if parts.scheme != "https" or parts.netloc not in SUBMIT_HOSTS:
        return None
    return f"https://{parts.netloc}/mturk/externalSubmit"


def _capped(value: str) -> str:
    return _CONTROL.sub(" ", value)[:LONGEST_VALUE]
