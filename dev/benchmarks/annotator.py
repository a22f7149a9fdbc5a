"""A simulated annotator over HTTP: follows a personal link, answers the screen, takes the next one.

Answers are random, to screens of any protocol without texts to write. Like the browser's script, it sends an
answer with its key until the server has confirmed it; the next screen comes with the confirmation or is
requested.
"""

import asyncio
import json
import random
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from uuid import uuid4

from dev.benchmarks.light_client import PATIENCE_SECONDS, Browser, Response

CHOICE = re.compile(r'<input type="radio" name="([^"]+)" value="([^"]+)"')
SCORE = re.compile(r'name="(score-\d+)"')
MARKS = re.compile(r'name="(spans-\d+)"')
ONE_MARK = '{"missing":[{"severity":"minor"}]}'
"""Fits every text, also an empty one."""

AHEAD_EVERY = 5
"""Answers after which the browser asks for screens ahead, as `static/js/ahead.js` does."""


class GivenUpError(Exception):
    """Seconds after which the annotator stops waiting for the server."""


@dataclass
class Log:
    """Log of one or several annotators.

    Attributes:
        confirmed: keys of confirmed answers, with the time by the monotonic clock.
        waits: for each "submit and next", when it ended by that clock, and the seconds that it took.
        requests: for each request, the same, until an answer, a refusal or the loss of the connection.
        errors: unexpected errors.
        refused: the server's messages for refused answers.
    """

    confirmed: dict[str, float] = field(default_factory=dict)
    waits: list[tuple[float, float]] = field(default_factory=list)
    requests: list[tuple[float, float]] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Answer:
    """The data sent for a screen, and the address."""

    path: str
    fields: dict[str, str]

    @property
    def key(self) -> str:
        """Key that ensures that it is stored once."""
        return self.fields["key"]


class Annotator:
    """An annotator at work.

    Args:
        port: port of the server.
        token: token of their link.
        log: receives what they see.
        patience: seconds that they wait for a response.
        pause: seconds before sending again after a failure. If the server says how long (`Retry-After`), up
            to twice that.
        gives_up: whether they do not send again after a failure.
        twice_every: interval of answers that are sent twice at once, like a double click; 0 for none.
    """

    def __init__(
        self,
        port: int,
        token: str,
        log: Log,
        *,
        patience: float = PATIENCE_SECONDS,
        pause: float = 0.5,
        gives_up: Callable[[], bool] = lambda: False,
        twice_every: int = 0,
    ) -> None:
        self.browser = Browser(port, patience=patience)
        self.log = log
        self.confirmed_at = float("-inf")
        self.address = ""
        self._token, self._pause, self._gives_up, self._twice_every = token, pause, gives_up, twice_every
        self._answers = 0
        self._ahead = ""
        self._rng = random.Random(token)  # noqa: S311  # a simulation

    async def enter(self) -> str:
        """Follow the link; the first page."""
        await self._until_it_works(lambda: self.browser.get(f"/join/{self._token}/"))
        entered = await self._until_it_works(lambda: self.browser.post(f"/join/{self._token}/", {}))
        self.address = entered.location
        page = await self.page(self.browser)
        if ahead := re.search(r'data-ahead="([^"]+)"', page):
            self._ahead = ahead[1]
            await self._ask_ahead()
        return page

    async def page(self, tab: Browser) -> str:
        """The screen to judge now, if there is one; a pause between two batches is ended at once."""
        page = (await self._until_it_works(lambda: tab.get(self.address))).text
        while "data-pause" in page:
            await self._until_it_works(lambda: tab.get(f"{self.address}next-batch/"))
            page = (await self._until_it_works(lambda: tab.get(self.address))).text
        return page

    def answer_to(self, page: str) -> Answer | None:
        """An answer with a new key; None if the page is not a screen."""
        showing = re.search(r'data-showing="([^"]+)"', page)
        if showing is None:
            return None
        choices: dict[str, list[str]] = {}
        for name, value in CHOICE.findall(page):
            choices.setdefault(name, []).append(value)
        fields = {"key": str(uuid4())}
        fields |= {name: self._rng.choice(values) for name, values in choices.items()}
        fields |= {name: str(self._rng.randint(0, 100)) for name in SCORE.findall(page)}
        fields |= {name: self._rng.choice(["", ONE_MARK]) for name in MARKS.findall(page)}
        return Answer(f"{self.address}{showing[1]}/", fields)

    async def send(self, answer: Answer) -> str:
        """Send it until it is confirmed or refused; returns what comes next."""
        self._answers += 1
        if self._ahead and self._answers % AHEAD_EVERY == 0:
            await self._ask_ahead()
        if self._twice_every and self._answers % self._twice_every == 0:
            return await self.send_at_once(answer, answer)
        return await self.send_from(self.browser, answer)

    async def send_at_once(self, *answers: Answer) -> str:
        """Send them at once, each from a separate tab; returns what comes next in the first tab."""
        tabs = [
            Browser(self.browser.port, dict(self.browser.cookies), self.browser.patience) for _ in answers
        ]
        try:
            sent = zip(tabs, answers, strict=True)
            first, *_ = await asyncio.gather(*(self.send_from(tab, answer) for tab, answer in sent))
        finally:
            for tab in tabs:
                tab.close()
        return first

    async def send_from(self, tab: Browser, answer: Answer) -> str:
        """Send it from this tab."""
        started = time.perf_counter()
        sent = await self._until_it_works(lambda: tab.post(answer.path, answer.fields, by_script=True))
        if sent.status != 200:
            self.log.refused[f"status {sent.status}"] += 1
            return await self.page(tab)
        self.confirmed_at = self.log.confirmed.setdefault(answer.key, time.monotonic())
        words = json.loads(sent.body)
        page = words["screen"] if "screen" in words else await self.page(tab)
        self.log.waits.append((time.monotonic(), time.perf_counter() - started))
        return str(page)

    async def _ask_ahead(self) -> None:
        """Ask for the screens that follow this one; they come again with each confirmation."""
        await self._until_it_works(lambda: self.browser.get(self._ahead))

    async def _until_it_works(self, ask: Callable[[], Awaitable[Response]]) -> Response:
        while True:
            pause, started = self._pause, time.monotonic()
            try:
                response = await ask()
                if response.status < 500:
                    return response
                self.log.errors[f"status {response.status}"] += 1
                if response.retry_after is not None:
                    pause = response.retry_after * self._rng.uniform(1, 2)
            except OSError as error:
                self.log.errors[type(error).__name__] += 1
            finally:
                ended = time.monotonic()
                self.log.requests.append((ended, ended - started))
            if self._gives_up():
                raise GivenUpError
            await asyncio.sleep(pause)
