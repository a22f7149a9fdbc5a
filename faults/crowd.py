"""People at work who, as their browser does, send an answer until the server has confirmed it."""

import re
import threading
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPException
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

ANSWER_SECONDS = 5
"""How long the browser waits before it sends again."""

AGAIN_SECONDS = 0.2
PAUSE_SECONDS = 0.4
LAST_SECONDS = 60
"""How long somebody who goes home goes on sending an answer that is not confirmed."""


class Person:
    """One annotator in a browser. Every third answer is sent twice at once, as a double click would.

    Attributes:
        confirmed: the keys of the answers that the server has confirmed.
        confirmed_at: when it has, by the monotonic clock.
        refused: what the server has said to answers that it did not take.
        unconfirmed: the answers, of which there is one at most, that were given up.
    """

    def __init__(self, port: int, token: str) -> None:
        self.confirmed: set[str] = set()
        self.confirmed_at: list[float] = []
        self.refused: list[str] = []
        self.unconfirmed = 0
        self._port, self._token = port, token
        self._cookies: dict[str, str] = {}
        self._twins: list[threading.Thread] = []
        self._connection = self._connect()

    def work(self, home: threading.Event) -> None:
        """Judge until it is time to go home."""
        self._insist("GET", f"/join/{self._token}/")
        address = self._insist("POST", f"/join/{self._token}/", {})[1]["Location"]
        while not home.is_set():
            page = self._insist("GET", address)[2]
            if showing := re.search(r'data-showing="([^"]+)"', page):
                home.wait(PAUSE_SECONDS)
                fields = sorted(set(re.findall(r'name="(rank-\d+)"', page)))
                ranks = {name: str(place) for place, name in enumerate(fields, start=1)}
                self._answer(f"{address}{showing[1]}/", {"key": str(uuid4()), **ranks}, home)
            else:
                home.wait(AGAIN_SECONDS)  # For a moment everything may be on somebody's lease.

    def close(self) -> None:
        """Close the browser."""
        for twin in self._twins:
            twin.join()
        self._connection.close()

    def _answer(self, path: str, answer: dict[str, str], home: threading.Event) -> None:
        given_up_at: float | None = None
        if len(self.confirmed) % 3 == 2:
            self._twins.append(threading.Thread(target=self._send_as_twin, args=(path, answer)))
            self._twins[-1].start()
        while given_up_at is None or monotonic() < given_up_at:
            response = self._try("POST", path, answer)
            if response is not None and response[0] < 500:
                if response[0] < 400:
                    self.confirmed.add(answer["key"])
                    self.confirmed_at.append(monotonic())
                else:
                    self.refused.append(f"status {response[0]}")
                return
            if home.is_set() and given_up_at is None:
                given_up_at = monotonic() + LAST_SECONDS
            sleep(AGAIN_SECONDS)
        self.unconfirmed += 1

    def _send_as_twin(self, path: str, answer: dict[str, str]) -> None:
        twin = Person(self._port, self._token)
        twin._cookies = dict(self._cookies)
        twin._try("POST", path, answer)
        twin.close()

    def _insist(self, method: str, path: str, fields: dict[str, str] | None = None) -> tuple[int, Any, str]:
        deadline = monotonic() + LAST_SECONDS
        while monotonic() < deadline:
            response = self._try(method, path, fields)
            if response is not None and response[0] < 500:
                return response
            sleep(AGAIN_SECONDS)
        raise TimeoutError(f"{method} {path} was not answered for {LAST_SECONDS} seconds.")

    def _try(
        self, method: str, path: str, fields: dict[str, str] | None = None
    ) -> tuple[int, Any, str] | None:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items())}
        body = None
        if fields is not None:
            body = urlencode(fields)
            headers |= {
                "Accept": "application/json" if fields else "text/html",
                "Content-Type": "application/x-www-form-urlencoded",
                "X-CSRFToken": self._cookies.get("csrftoken", ""),
            }
        try:
            self._connection.request(method, path, body, headers)
            response = self._connection.getresponse()
            text = response.read().decode()
        except (HTTPException, OSError):
            self._connection.close()
            self._connection = self._connect()
            return None
        for cookie in response.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self._cookies[name] = value
        return response.status, response.headers, text

    def _connect(self) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self._port, timeout=ANSWER_SECONDS)


class Crowd:
    """Several people at work at once, as a context."""

    def __init__(self, port: int, tokens: Sequence[str]) -> None:
        self.people = [Person(port, token) for token in tokens]
        self.troubles: list[str] = []
        self._home = threading.Event()
        self._threads = [threading.Thread(target=self._work, args=(person,)) for person in self.people]

    def __enter__(self) -> "Crowd":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._home.set()
        for thread in self._threads:
            thread.join()

    def all_answered_since(self, moment: float) -> bool:
        """Whether everybody has had an answer confirmed since then."""
        return all(person.confirmed_at and person.confirmed_at[-1] > moment for person in self.people)

    @property
    def confirmed(self) -> set[str]:
        """The keys of all answers that were confirmed to somebody."""
        return set().union(*(person.confirmed for person in self.people))

    def _work(self, person: Person) -> None:
        try:
            person.work(self._home)
        except Exception as error:
            self.troubles.append(f"{type(error).__name__}: {error}")
        finally:
            person.close()
