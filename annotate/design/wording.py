"""Numbers with their nouns."""


def counted(number: int, noun: str) -> str:
    """The number with its noun, in the plural where that is due."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
