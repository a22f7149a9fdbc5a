"""`python -m config.address HOST PORT`: refuses an address that the server should not take, with what to do.

That is one where something listens already, and one that others on the network reach while nothing stands
between them and the server.
"""

import errno
import socket
import sys
from ipaddress import ip_address

from django.conf import settings

EXPOSED = """\
HOST={host} lets others on the network reach the server itself, which speaks HTTP without encryption:
passwords and personal links could be read on the way. Do one of these:

  - Put a proxy that speaks HTTPS in front, and set PROXIES=1 and HTTPS=True in .env; docs/settings.md,
    "On the open network", shows it for nginx.
  - For this machine alone, leave HOST out.
  - If this is meant, in a network where you trust everybody, set WITHOUT_PROXY=True in .env.
"""
TAKEN = """\
Something listens at http://{host}:{port}/ already, perhaps Assay itself.
Stop it, or add another port: PORT={other}
"""


class AddressRefusedError(Exception):
    """The server should not take this address; the message says what to do."""


def check(host: str, port: int, *, is_meant: bool) -> None:
    """Look whether the server should listen there; `is_meant` says that others on the network may reach it.

    Raises:
        AddressRefusedError: it should not.
    """
    if not is_meant and not is_local(host):
        raise AddressRefusedError(EXPOSED.format(host=host))
    if is_taken(host, port):
        raise AddressRefusedError(TAKEN.format(host=host, port=port, other=port + 1))


def is_local(host: str) -> bool:
    """Whether only this machine reaches the host. What else may be wrong with it, the server will say."""
    if not host:
        return False
    try:
        addresses = socket.getaddrinfo(host.strip("[]"), None, type=socket.SOCK_STREAM)
    except OSError:
        return True
    return all(ip_address(address[0]).is_loopback for *_, address in addresses)


def is_taken(host: str, port: int) -> bool:
    """Whether something else has the port. What else may be wrong with the address, the server will say."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host.strip("[]"), port), family=family).close()
    except OSError as error:
        return error.errno == errno.EADDRINUSE
    return False


def main(host: str, port: str) -> None:
    """Check the address against the settings of this installation."""
    try:
        check(host, int(port), is_meant=bool(settings.PROXIES) or settings.WITHOUT_PROXY)
    except AddressRefusedError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    import os

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main(*sys.argv[1:])
