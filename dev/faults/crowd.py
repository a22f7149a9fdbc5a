"""Simulated annotators who, like the browser, send an answer until the server has confirmed it.

Beside them, an admin reloads pages of each kind.
"""

import asyncio
import threading
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic

from dev.benchmarks.annotator import Annotator, GivenUpError, Log
from dev.benchmarks.light_client import Browser
from dev.benchmarks.load import log_in

PATIENCE_SECONDS = 45
"""Seconds to wait for a response: longer than the browser does, so that the waits are seen whole."""

BESIDE = ("/", "/account/", "/healthz", "/api/v1/campaigns/", "/static/css/assay.css")
BESIDE_PAUSE_SECONDS = 0.5
WARM_REQUESTS = 6
BY_ANNOTATOR = "a page of an annotator"
AGAIN_SECONDS = 0.2
PAUSE_SECONDS = 1.0
SENT_TWICE_EVERY = 3
LAST_SECONDS = 60
"""Seconds for which a stopping annotator keeps sending an unconfirmed answer."""


class Crowd:
    """Several annotators at work, as a context manager. Every third answer is sent twice.

    Args:
        port: port of the site.
        tokens: of the annotators' links.
        admin: name of the account that reloads pages meanwhile, with the password of `dev.benchmarks.load`.

    Attributes:
        unconfirmed: number of annotators who stopped before their last answer was confirmed.
    """

    def __init__(self, port: int, tokens: Sequence[str], admin: str) -> None:
        self._port, self._admin = port, admin
        self._reloads: dict[str, list[tuple[float, float]]] = {path: [] for path in BESIDE}
        self.people = [
            Annotator(
                port,
                token,
                Log(),
                patience=PATIENCE_SECONDS,
                pause=AGAIN_SECONDS,
                gives_up=self._gives_up,
                twice_every=SENT_TWICE_EVERY,
            )
            for token in tokens
        ]
        self.troubles: list[str] = []
        self.unconfirmed = 0
        self._home_at: float | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._work_all()))

    def __enter__(self) -> "Crowd":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._home_at = monotonic()
        self._thread.join()

    def all_answered_since(self, moment: float) -> bool:
        """Whether every annotator has had an answer confirmed since then."""
        return all(person.confirmed_at > moment for person in self.people)

    def waits_since(self, moment: float) -> list[tuple[float, str]]:
        """Seconds of each request since then until its answer, refusal or cut, and what it asked for."""
        each = [*self._reloads.items(), *((BY_ANNOTATOR, person.log.requests) for person in self.people)]
        return [(seconds, name) for name, requests in each for ended, seconds in requests if ended > moment]

    @property
    def is_warm(self) -> bool:
        """Whether each web worker has probably loaded what the pages need that the admin reloads."""
        return all(len(requests) >= WARM_REQUESTS for requests in self._reloads.values())

    @property
    def confirmed(self) -> set[str]:
        """The keys of all confirmed answers."""
        return set().union(*(person.log.confirmed for person in self.people))

    @property
    def refused(self) -> set[str]:
        """The server's messages for refused answers."""
        return set().union(*(person.log.refused for person in self.people))

    def _gives_up(self) -> bool:
        return self._home_at is not None and monotonic() > self._home_at + LAST_SECONDS

    async def _work_all(self) -> None:
        admin = await log_in(self._port, self._admin, patience=PATIENCE_SECONDS)
        admin.close()
        reloading = (self._reload(path, admin) for path in BESIDE)
        await asyncio.gather(*reloading, *(self._work(person) for person in self.people))

    async def _reload(self, path: str, admin: Browser) -> None:
        """Request an address again and again, whatever the response."""
        tab = Browser(self._port, dict(admin.cookies), PATIENCE_SECONDS)
        while self._home_at is None:
            started = monotonic()
            with suppress(OSError):
                await tab.get(path)
            ended = monotonic()
            self._reloads[path].append((ended, ended - started))
            tab.close()  # The next connection may be another worker's.
            await asyncio.sleep(BESIDE_PAUSE_SECONDS)

    async def _work(self, person: Annotator) -> None:
        """Judge until told to stop."""
        try:
            page = await person.enter()
            while self._home_at is None:
                if answer := person.answer_to(page):
                    await asyncio.sleep(PAUSE_SECONDS)
                    page = await person.send(answer)
                else:
                    # For a moment, all slots may be on lease.
                    await asyncio.sleep(AGAIN_SECONDS)
                    page = await person.page(person.browser)
        except GivenUpError:
            self.unconfirmed += 1
        except Exception as error:
            self.troubles.append(f"{type(error).__name__}: {error}")
        finally:
            person.browser.close()
