"""`python -m config.free_port HOST PORT`: fails, and says what to do, where something listens already."""

import errno
import socket
import sys


def taken(host: str, port: int) -> bool:
    """Whether something else has the port. What else may be wrong with the address, the server will say."""
    try:
        socket.create_server((host, port)).close()
    except OSError as error:
        return error.errno == errno.EADDRINUSE
    return False


if __name__ == "__main__":
    host, port = sys.argv[1], int(sys.argv[2])
    if taken(host, port):
        sys.exit(
            f"Something listens at http://{host}:{port}/ already, perhaps Assay itself. "
            f"Stop it, or add another port: PORT={port + 1}"
        )
