"""What all inputs of analyses have: a digest of their content, which appears in the signatures of results.

`judgment_inputs` and `corpus_inputs` hold the kinds of inputs that several analyses read;
`analysis.runs.sources` reads the inputs of each kind.
"""

from typing import Protocol

DIGITS_OF_DIGEST = 16
"""Number of digits of a content hash in signatures."""


class Inputs(Protocol):
    """Inputs of an analysis."""

    @property
    def digest(self) -> str:
        """SHA-256 of the content, in hexadecimal; independent of where the content comes from."""

    def signature(self, what: str) -> str:
        """Signature of a computation on these inputs by a version; equal signatures mean equal numbers."""
