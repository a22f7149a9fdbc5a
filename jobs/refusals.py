"""What somebody asked for and does not get, with the reason in words for them."""


class RefusedError(Exception):
    """What was asked for cannot be done as things are; the message says why, and what to do.

    It is meant for whoever asked: a page shows it, the API sends it, a command ends with it, and a job that
    meets it has failed with it.
    """
