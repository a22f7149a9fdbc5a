"""An annotator at work, whose pages need few queries."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotate.judging.entering import mint_personal_link
from annotate.models import Annotator

MOST_QUERIES = 12


class AtWork:
    """An annotator's browser, which looks at each request's queries."""

    def __init__(self, annotator: Annotator) -> None:
        self._client = Client()
        self._client.post(f"/join/{mint_personal_link(annotator)}/")
        self._work = f"/judge/{annotator.campaign.uuid}/"

    def next_screen(self) -> str:
        """The address of the screen that is to be answered next."""
        page = self.get(self._work)
        return f"{self._work}{page.context['showing'].uuid}/"

    def get(self, address: str) -> Any:
        with few_queries():
            response = self._client.get(address)
        assert response.status_code == 200
        return response

    def post(self, address: str, fields: Mapping[str, str]) -> Any:
        with few_queries():
            return self._client.post(address, {"key": str(uuid4()), **fields})


@contextmanager
def few_queries() -> Iterator[None]:
    with CaptureQueriesContext(connection) as queries:
        yield
    statements = [query["sql"] for query in queries]
    assert sum(not sql.startswith(("SAVEPOINT", "RELEASE")) for sql in statements) <= MOST_QUERIES
