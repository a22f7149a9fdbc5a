"""Tokens of links: digests are stored; tokens that may be shown again are derived from the secret key."""

import hashlib
from base64 import urlsafe_b64encode

from django.utils.crypto import salted_hmac


def digest_of(secret: str) -> str:
    """SHA-256 of a token or code, in hexadecimal."""
    return hashlib.sha256(secret.encode()).hexdigest()


def keyed(salt: str, text: str) -> bytes:
    """32 bytes that only the holder of the secret key can derive from the text."""
    return salted_hmac(salt, text, algorithm="sha256").digest()


def derived_token(salt: str, text: str) -> str:
    """A token of 192 bits that only the holder of the secret key can derive from the text."""
    return urlsafe_b64encode(keyed(salt, text)[:24]).decode()
