"""Whether this worker is being shut down."""

from threading import Event

stopping = Event()
