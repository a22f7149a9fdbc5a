"""Names of systems and outputs in a bundle."""

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formats.snapshot.propensities_json import propensities_text


@dataclass(frozen=True, slots=True)
class Renaming:
    """New names of systems and outputs.

    Attributes:
        systems: the name that each system is given, by its own.
        salt: mixed into the digests of outputs, so that nobody finds a system by the texts of its outputs;
            empty to keep digests.
    """

    systems: Mapping[str, str]
    salt: bytes = b""

    def output(self, digest: str | None) -> str | None:
        """The digest of an output in a bundle."""
        if digest is None or not self.salt:
            return digest
        return hashlib.sha256(self.salt + digest.encode()).hexdigest()

    def propensities(self, text: str | None) -> str | None:
        """The propensities of an item, whose outputs are named by digest, and sorted by it."""
        if text is None or not self.salt:
            return text
        table = json.loads(text)
        before = sorted(table)
        after = [str(self.output(digest)) for digest in before]
        order = sorted(range(len(after)), key=after.__getitem__)
        renamed = {after[row]: [table[before[row]][column] for column in order] for row in order}
        return propensities_text(renamed)


def kept_names(systems: Sequence[str]) -> Renaming:
    """The renaming that changes nothing."""
    return Renaming({name: name for name in systems})


def numbered(systems: Sequence[str]) -> Renaming:
    """Numbers in random order in place of names. No seed gives the same order, so nobody can undo it."""
    order = list(systems)
    secrets.SystemRandom().shuffle(order)
    names = {name: f"system-{place:02}" for place, name in enumerate(order, start=1)}
    return Renaming(names, secrets.token_bytes(32))
