"""Plain implementation of the official GLEU tool: counters of n-grams, and one sum per iteration."""

import random
from collections import Counter
from collections.abc import Sequence
from math import exp, log

ORDER = 4
Tokens = Sequence[str]


def ngrams(tokens: Tokens, n: int) -> Counter[tuple[str, ...]]:
    """Counts of n-grams."""
    return Counter(tuple(tokens[place : place + n]) for place in range(len(tokens) + 1 - n))


def statistics(source: Tokens, output: Tokens, reference: Tokens, order: int = ORDER) -> list[int]:
    """Lengths of output and reference, then numerator and denominator of each order."""
    figures = [len(output), len(reference)]
    for n in range(1, order + 1):
        ours, right, wrong = ngrams(output, n), ngrams(reference, n), ngrams(source, n)
        for gram in set(right) & set(wrong):
            del wrong[gram]
        shared = sum((ours & right).values()) - sum((ours & wrong).values())
        figures += [max(shared, 0), max(len(output) + 1 - n, 0)]
    return figures


def gleu(figures: Sequence[int], *, smooth: bool = False) -> float:
    """GLEU of one set of statistics."""
    if smooth:
        figures = [figure or 1 for figure in figures]
    if 0 in figures:
        return 0.0
    ours, right, *precisions = figures
    logs = [log(above / below) for above, below in zip(precisions[::2], precisions[1::2], strict=True)]
    return exp(min(0, 1 - right / ours) + sum(logs) / len(logs))


def corpus_gleu(
    sources: Sequence[Tokens],
    outputs: Sequence[Tokens],
    references: Sequence[Sequence[Tokens]],
    iterations: int = 500,
    order: int = ORDER,
) -> float:
    """The mean over iterations; `references` holds the references of each sentence."""
    if max(map(len, references)) == 1:
        iterations = 1
    stored: dict[tuple[int, int], list[int]] = {}
    scores = []
    for iteration in range(iterations):
        random.seed(iteration * 101)
        sums = [0] * (2 + 2 * order)
        for sentence, texts in enumerate(references):
            drawn = int(random.random() * len(texts))  # noqa: S311 the official tool's stream
            key = sentence, drawn
            if key not in stored:
                stored[key] = statistics(sources[sentence], outputs[sentence], texts[drawn], order)
            sums = [total + figure for total, figure in zip(sums, stored[key], strict=True)]
        scores.append(gleu(sums))
    return sum(scores) / len(scores)
