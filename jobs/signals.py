"""Signals of job workers."""

from django.dispatch import Signal

daily = Signal()
"""Sent by each job worker once a day. Receivers of apps above do what has to be done from time to time."""

every_minute = Signal()
"""Sent by each job worker every minute. Receivers take milliseconds, and queue a job for longer work."""
