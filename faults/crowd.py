"""Simulated annotators who, like the browser, send an answer until the server has confirmed it."""

import asyncio
import threading
from collections.abc import Sequence
from time import monotonic

from benchmarks.annotator import Annotator, GivenUpError, Log

ANSWER_SECONDS = 5
"""Seconds that the browser waits before it sends again."""

AGAIN_SECONDS = 0.2
PAUSE_SECONDS = 0.4
SENT_TWICE_EVERY = 3
LAST_SECONDS = 60
"""Seconds for which a stopping annotator keeps sending an unconfirmed answer."""


class Crowd:
    """Several annotators at work, as a context manager. Every third answer is sent twice.

    Attributes:
        unconfirmed: number of annotators who stopped before their last answer was confirmed.
    """

    def __init__(self, port: int, tokens: Sequence[str]) -> None:
        self.people = [
            Annotator(
                port,
                token,
                Log(),
                patience=ANSWER_SECONDS,
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
        await asyncio.gather(*(self._work(person) for person in self.people))

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
