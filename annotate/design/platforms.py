"""Crowd platforms: the parameters of the address by which a worker enters, and how a worker returns.

Pure: knows no request and no database.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from core.translations import gettext
from jobs.refusals import RefusedError

PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
"""The value that Mechanical Turk sends instead of an assignment during a preview."""
SUBMIT_TO = "turkSubmitTo"
SUBMIT_HOSTS = ("www.mturk.com", "workersandbox.mturk.com")
LONGEST_VALUE = 500
_ID = re.compile(r"[A-Za-z0-9._@:+=-]{1,128}")
_CONTROL = re.compile(r"[\0-\x1f\x7f]+")


@dataclass(frozen=True, slots=True)
class Preset:
    """The defaults of a platform.

    Attributes:
        worker: name of the parameter that holds the worker's id.
        visit: name of the parameter that identifies a worker's visit; empty for one visit each.
        captured: names of further parameters worth keeping.
        return_url: where a finished worker returns, with `{code}`; empty if the code is pasted or posted.
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
"""The placeholder in an address for a platform whose placeholders are unknown."""


class ArrivalError(RefusedError):
    """The address does not identify the worker; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A worker as the address of a crowd link identifies them; an id in an address is not secret.

    Attributes:
        worker: the platform's id of the worker.
        visit: identifies the visit among the worker's; may be empty.
        parameters: the further parameters that are captured, by name.
    """

    worker: str
    visit: str
    parameters: dict[str, str]


def arrival(names: Preset, query: Mapping[str, str]) -> Arrival:
    """Read the address.

    Raises:
        ArrivalError: the worker's id is missing, or it or the visit is invalid, such as a placeholder that
            was not filled in.
    """
    worker = query.get(names.worker, "").strip()
    visit = query.get(names.visit, "").strip() if names.visit else ""
    for name, value in ((names.worker, worker), (names.visit, visit)):
        if value and not _ID.fullmatch(value):
            raise ArrivalError(gettext("Its value for %(name)s is not a valid id.") % {"name": name})
    if not worker:
        raise ArrivalError(gettext("It lacks %(name)s, which identifies you.") % {"name": names.worker})
    captured = {name: _capped(query[name]) for name in names.captured if name in query}
    return Arrival(worker, visit, captured)


def is_preview(names: Preset, query: Mapping[str, str]) -> bool:
    """Whether the task is only previewed on Mechanical Turk."""
    return query.get(names.visit) == PREVIEW


def address_query(names: Preset, preset: Preset) -> str:
    """The query string of the address for the platform: its placeholders under our parameter names."""
    meant = {names.worker: preset.worker or WORKER, names.visit: preset.visit or VISIT}
    meant |= {name: name for name in preset.captured}
    return "&".join(f"{name}={preset.placeholder.format(what)}" for name, what in meant.items() if name)


def return_address(template: str, code: str) -> str:
    """The address to which a worker returns with this code."""
    return template.replace("{code}", quote(code, safe=""))


def submit_address(parameters: Mapping[str, str]) -> str | None:
    """The address at Mechanical Turk to submit an assignment to; None unless it is one of its own hosts."""
    try:
        parts = urlsplit(parameters.get(SUBMIT_TO, ""))
    except ValueError:
        return None
    if parts.scheme != "https" or parts.netloc not in SUBMIT_HOSTS:
        return None
    return f"https://{parts.netloc}/mturk/externalSubmit"


def _capped(value: str) -> str:
    return _CONTROL.sub(" ", value)[:LONGEST_VALUE]
