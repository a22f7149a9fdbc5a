"""How long requests wait for a database that is away."""

from threading import Lock
from time import monotonic


class Patience:
    """The time that a process still waits for something: so many seconds since it was first missed.

    A short absence, such as a restart, is waited for. Beyond that nobody waits, so nobody queues behind
    others who wait.

    Args:
        seconds: after these, nobody waits until it has been found again.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._missed_since: float | None = None
        self._lock = Lock()

    @property
    def left(self) -> float:
        """Seconds that are left to wait; 0 or more."""
        since = self._missed_since
        return self.seconds if since is None else max(0.0, since + self.seconds - monotonic())

    @property
    def is_missed(self) -> bool:
        """Whether it was not there when it was last looked for."""
        return self._missed_since is not None

    def miss(self, since: float) -> bool:
        """Note that it is missed since this time of the monotonic clock. Returns whether that is news."""
        with self._lock:
            is_news = self._missed_since is None
            if is_news:
                self._missed_since = since
        return is_news

    def find(self) -> bool:
        """Note that it was found. Returns whether that is news."""
        if self._missed_since is None:
            return False
        with self._lock:
            is_news = self._missed_since is not None
            self._missed_since = None
        return is_news
