"""Positions of sentences, as forms and the API take them."""

MAX_POSITION = 2**31 - 1
