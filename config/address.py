"""`python -m config.address HOST PORT`: checks the address for the server, and says what to do.

It refuses an address that is already in use, and one that is reachable from the network without a proxy.
"""

import errno
import socket
import sys
from ipaddress import ip_address

from django.conf import settings

EXPOSED = """\
HOST={host} lets others on the network reach the server itself, which speaks HTTP without encryption:
passwords and personal links could be read on the way. Do one of these:

  - Run a reverse proxy that terminates HTTPS, and set PROXIES=1 and HTTPS=True in .env; docs/operate.md
    shows it for nginx.
  - If only this machine needs access, leave HOST out.
  - If this is intended, in a network where you trust everyone, set WITHOUT_PROXY=True in .env, and
    ALLOWED_HOSTS to the names or addresses by which others reach this machine.
"""
TAKEN = """\
Another program already listens at http://{host}:{port}/, perhaps Assay itself.
Stop it, or choose another port: PORT={other}
"""


class AddressRefusedError(Exception):
    """The server should not use this address; the message says what to do."""


def check(host: str, port: int, *, is_meant: bool) -> None:
    """Check whether the server should listen there; `is_meant` allows access from the network.

    Raises:
        AddressRefusedError: it should not.
    """
    if not is_meant and not is_local(host):
        raise AddressRefusedError(EXPOSED.format(host=host))
    if is_taken(host, port):
        raise AddressRefusedError(TAKEN.format(host=host, port=port, other=port + 1))


def is_local(host: str) -> bool:
    """Whether only this machine can reach the host. The server itself reports other errors."""
    if not host:
        return False
    try:
        addresses = socket.getaddrinfo(host.strip("[]"), None, type=socket.SOCK_STREAM)
    except OSError:
        return True
    return all(ip_address(address[0]).is_loopback for *_, address in addresses)


def is_taken(host: str, port: int) -> bool:
    """Whether another program uses the port. The server itself reports other errors."""
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
