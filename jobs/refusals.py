"""The base of errors whose message is meant for the user."""


class RefusedError(Exception):
    """The current state does not allow the request; the message says why, and what to do.

    The message is meant for the user: a page shows it, the API returns it, a command ends with it, and a job
    fails with it.
    """
