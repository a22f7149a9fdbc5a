"""Digests of contents: of their JSON as a whole."""

import hashlib
import json

import pytest

from formats.digests import content_digest


@pytest.mark.parametrize(
    "parts",
    [
        [],
        [["a", "é"], None, 3, "x"],
        [{}],
        [{"b": [1, 2], "a": {"d": 1, "c": [{}]}, 'quoted "x"': "\u2028"}, ["y"]],
        [{2: "two", 1: "one"}, {True: 1}],
    ],
)
def test_the_content_is_that_of_plain_json(parts: list[object]) -> None:
    plain = "".join(json.dumps(part, sort_keys=True) for part in parts)
    assert content_digest(parts) == hashlib.sha256(plain.encode()).hexdigest()
