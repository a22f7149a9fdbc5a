"""Edits between texts by the word alignment with the fewest changes, for references without edits."""

from metrics.base.evaluation_sets import GoldEdit


def word_edits(source: str, text: str) -> tuple[GoldEdit, ...]:
    """The changes that lead from the source to the text, neighbouring ones as one edit, without types."""
    from rapidfuzz.distance import Levenshtein

    before, after = source.split(), text.split()
    blocks = Levenshtein.opcodes(before, after)
    edits: list[GoldEdit] = []
    start = begin = 0
    for block in [*blocks, None]:
        if block is not None and block.tag != "equal":
            continue
        end, until = (block.src_start, block.dest_start) if block else (len(before), len(after))
        if (start, begin) != (end, until):
            edits.append(GoldEdit(start, end, (" ".join(after[begin:until]),)))
        if block is not None:
            start, begin = block.src_end, block.dest_end
    return tuple(edits)
