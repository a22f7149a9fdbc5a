"""The random draws of a campaign, keyed by its secret.

The code is public, so draws from a small seed can be repeated by anyone who guesses the seed, annotators
included. Each draw of a launched campaign starts from a number that only its secret gives.
"""

import hmac
import secrets


def new_secret() -> str:
    """A secret: 256 random bits from the operating system, as 64 hexadecimal digits."""
    return secrets.token_hex(32)


def keyed_seed(secret: str, purpose: str, *numbers: int) -> int:
    """The seed of one draw: HMAC-SHA256 of its purpose and numbers under the secret, as 256 bits.

    Without the secret, nobody can tell it from a random number, even if they know the seeds of other draws.

    Args:
        secret: of the campaign.
        purpose: name of the draw, without a colon.
        numbers: of what is drawn for, such as an item and an annotator.
    """
    message = ":".join([purpose, *map(str, numbers)])
    return int.from_bytes(hmac.digest(secret.encode(), message.encode(), "sha256"))
