"""Any request to the API gets a response that the OpenAPI document describes, and never an internal error."""

from collections.abc import Iterator
from itertools import count
from typing import Any
from uuid import UUID

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import APIOperation, BaseSchema, Case, CheckFunction, GenerationMode
from schemathesis.specs.openapi.checks import (
    ignored_auth,
    negative_data_rejection,
    positive_data_acceptance,
)

from analysis.api import releases
from analysis.models import DataRelease
from annotate.accounts.tokens import mint_token
from annotate.api.throttling import AccountThrottle, StrangerThrottle
from annotate.models import Role, User
from annotate.scores import queueing
from tests.annotate.running import answer_all, cast, running
from tests.annotate.scores.scoring import scores_of
from tests.depth import DEEP, examples
from tests.jobs.kinds import kind, queued

Operation = APIOperation[Any, Any, Any, Any]
AnyCase = Case[Any]

KNOWN = UUID(int=7)

SHARES = 6
"""Tests that the operations are dealt out to, so that they can have their turns apart (`tests.rotation`)."""

SUCCESS = range(200, 300)
READERS = (Role.RESEARCHER, Role.ADMIN)
READ_BY_ADMINS = {
    "GET /api/v1/campaigns/{uuid}/analyses/quality/",
    "GET /api/v1/campaigns/{uuid}/releases/",
    "GET /api/v1/campaigns/{uuid}/releases/{release}/",
    "GET /api/v1/campaigns/{uuid}/releases/{release}/data.zip",
}

OF_MACHINES = {"GET /api/v1/machine/"}
"""Operations that no account may ask for; see `test_machines`."""

NOT_HELD_AGAINST_US: list[CheckFunction] = [
    positive_data_acceptance,  # Not every text is a cursor or a pseudonym.
    negative_data_rejection,  # An empty parameter counts as none, as in forms.
]


@pytest.fixture
def everything(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A corpus, a running campaign and a job, all under the same number. Nobody has to wait."""
    kind(monkeypatch, lambda job: None)
    campaign = running()
    for annotator in cast(campaign, "ada"):
        answer_all(annotator)
    scores = scores_of(campaign.corpus, "ld-source")
    for row in (campaign, campaign.corpus, scores, queued()):
        row.uuid = KNOWN
        row.save()
    content = {"bytes": 0, "sha256": "", "summary": "", "rows": [], "changes": ""}
    DataRelease.objects.create(
        uuid=KNOWN, campaign=campaign, name="a", version="1.0.0", about={}, options={}, content=content
    )
    monkeypatch.setattr(releases, "delete", lambda release, **by: None)
    # A deletion that is asked for hides scores at once, which other operations are to find.
    monkeypatch.setattr(queueing, "hide_scores", lambda *scores, **by: None)
    for throttle in (AccountThrottle, StrangerThrottle):
        monkeypatch.setattr(throttle, "allow_request", lambda *about: True)


@pytest.fixture
def schema(everything: None) -> Iterator[BaseSchema]:
    """The document, and the program behind it, which does not close the connection of this test."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    # Not the application of `config.wsgi`: that limits all connections of the process.
    yield schemathesis.openapi.from_wsgi(
        "/api/v1/openapi.json",
        get_wsgi_application(),
        headers=with_token_of(Role.ADMIN),
    )
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def with_token_of(role: Role) -> dict[str, str]:
    """The header that a program of such an account sends."""
    user, _ = User.objects.get_or_create(username=f"the {role}", defaults={"role": role})
    return {"Authorization": f"Bearer {mint_token(user)}"}


def operations(schema: BaseSchema) -> Iterator[Operation]:
    """All that the document describes."""
    for path in schema:
        for method in schema[path]:
            yield schema[path][method]


def sent(operation: Operation) -> Iterator[AnyCase]:
    """Requests that the document allows, and a tenth of the others; all of them in a deep run.

    All analyses are one view, so that two thirds of this are enough to see the result of each, and a sixth to
    compute it, which takes the same parameters.
    """
    step, taken = (
        ((3, 2) if operation.method == "get" else (6, 1)) if is_of_an_analysis(operation) else (1, 1)
    )
    allowed, forbidden = count(), count()
    for case in cases(operation):
        is_next = next(allowed) % step < taken if is_allowed(case) else next(forbidden) % (10 * step) == 0
        if DEEP or is_next:
            yield case


def is_of_an_analysis(operation: Operation) -> bool:
    """Whether it is one of the many that read parameters of an analysis."""
    return "/analyses/" in operation.path


def is_allowed(case: AnyCase) -> bool:
    """Whether the document allows the request."""
    assert case.meta is not None
    return case.meta.generation.mode is GenerationMode.POSITIVE


def cases(operation: Operation) -> Iterator[AnyCase]:
    """Requests at the limits of what the document allows and beyond, then random ones of both kinds.

    Of an analysis, only a deep run takes random ones.
    """
    generation = operation.schema.config.generation_for(operation=operation)
    yield from operation.schema.iter_coverage_cases(
        operation, generation_modes=[*GenerationMode], generation_config=generation
    )
    if DEEP or not is_of_an_analysis(operation):
        for mode in GenerationMode:
            yield from random_cases(operation, mode)


def random_cases(operation: Operation, mode: GenerationMode) -> list[AnyCase]:
    """Always the same ones."""
    cases: list[AnyCase] = []

    @settings(
        max_examples=examples(8),
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    @given(operation.as_strategy(mode))
    def collect(case: AnyCase) -> None:
        cases.append(case)

    collect()
    return cases


def aim(case: AnyCase) -> None:
    """Ask for something that exists, unless what is asked for cannot exist."""
    for name in {"uuid", "scores", "release"} & (case.path_parameters or {}).keys():
        try:
            UUID(case.path_parameters[name])
        except (TypeError, ValueError, AttributeError):
            return
        case.path_parameters[name] = str(KNOWN)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(SHARES))
def test_every_answer_is_documented(schema: BaseSchema, first: int) -> None:
    every = [*operations(schema)]
    assert {operation.label for operation in every} >= READ_BY_ADMINS
    chosen = every[first::SHARES]
    headers = {role: with_token_of(role) for role in Role} | {None: {"Authorization": "Bearer nobody"}}
    well_answered: dict[Role | None, set[str]] = {role: set() for role in headers}
    asks_for_a_token: set[str] = set()
    for operation in chosen:
        for number, case in enumerate(sent(operation)):
            aim(case)
            for role in headers if DEEP or number % 10 == 0 else [READERS[number % 2]]:
                response = case.call(headers=headers[role])
                # Whether it asks for a token takes two more requests, and is the same whatever else is sent.
                known = [ignored_auth] if operation.label in asks_for_a_token else []
                case.validate_response(
                    response, headers=headers[role], excluded_checks=NOT_HELD_AGAINST_US + known
                )
                if response.status_code in SUCCESS:
                    well_answered[role].add(operation.label)
                    if is_allowed(case):
                        asks_for_a_token.add(operation.label)
    reading = {operation.label for operation in chosen if operation.method == "get"} - OF_MACHINES
    assert reading - well_answered[Role.ADMIN] == set()
    assert reading - well_answered[Role.RESEARCHER] == READ_BY_ADMINS & reading
    assert not well_answered[Role.ANNOTATOR] | well_answered[None]
