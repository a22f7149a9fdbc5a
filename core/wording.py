"""Words for numbers and lists in sentences."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

_MARKUP = re.compile(r"([\\`*_{}\[\]()#+\-.!<>|~&:])")

SMALLEST_P = 0.001
"""The least p-value that is written as a number."""


def listed(names: Sequence[str], does: str = "", do: str = "") -> str:
    """The names as a sentence lists them: "A, B and C"; then the verb, `does` of one and `do` of several."""
    every = " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
    return f"{every} {does if len(names) == 1 else do}" if does else every


MOST_NAMES = 3
"""Names that a heading lists; of more, it counts the others."""


def briefly(names: Sequence[str], does: str = "", do: str = "") -> str:
    """The names as headings list them, such as "A, B and C" or "A, B and 11 others"; then the verb."""
    if len(names) > MOST_NAMES:
        names = [*names[: MOST_NAMES - 1], f"{len(names) - MOST_NAMES + 1:,} others"]
    return listed(names, does, do)


NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def in_words(number: int) -> str:
    """Numbers up to twelve in words, and others in digits."""
    return NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"


def some_of(number: int, total: int, noun: str, *, plural: str = "", does: str = "", do: str = "") -> str:
    """How many of all, such as "3 of 12 pairs", "none of 12 pairs", "both pairs"; then the verb."""
    nouns, is_single = plural or f"{noun}s", number < 2
    match number, total:
        case 0, 1:
            some = f"no {noun}"
        case 1, 1:
            some = f"the only {noun}"
        case 0, 2:
            some = f"neither {noun}"
        case 2, 2:
            some = f"both {nouns}"
        case 0, _:
            some = f"none of {total:,} {nouns}"
        case _ if number == total:
            some = f"all {total:,} {nouns}"
        case _:
            some = f"{number:,} of {total:,} {nouns}"
    return " ".join(filter(None, [some, does if is_single else do]))


def two_digits(number: int) -> int:
    """An estimate without false precision: 79,810 as 80,000."""
    return int(float(f"{number:.1e}"))


def most_often(best: Mapping[str, Sequence[str]], claim: tuple[str, str], *, one: str, alone: str) -> str:
    """Who is best in most domains, and who in the others.

    `best` has those who are best, by domain: at least one domain. `claim` is said of them, in the singular
    and in the plural; `one` is what they are, such as "metric". For a single domain, `alone` is the sentence,
    with places for "{domain}" and "{claim}".
    """
    (often, times), *others = Counter(tuple(names) for names in best.values()).most_common()
    said = listed(often, *claim)
    if len(best) == 1:
        return alone.format(domain=next(iter(best)), claim=said)
    if not others:
        return f"{said} in {some_of(times, times, 'domain')}"
    if times == 1:
        return f"A different {one} {claim[0]} in each of {counted(len(best), 'domain')}"
    elsewhere = [f"{listed(names)} in {domain}" for domain, names in best.items() if tuple(names) != often]
    return f"{said} in {times} of {counted(len(best), 'domain')}, {briefly(elsewhere)}"


def beginning(text: str) -> str:
    """The text at the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def are(number: int) -> str:
    """The verb after this number of things."""
    return "is" if number == 1 else "are"


def percent(share: float) -> str:
    """A fraction in percent, on one line: 95 %."""
    return f"{100 * share:g}\N{NO-BREAK SPACE}%"


def whole_percent(share: float | None) -> str:
    """A fraction in whole percent; 0 where there is none."""
    return percent(round(share or 0.0, 2))


def with_interval(what: str, confidence: float) -> str:
    """The heading of what is drawn with its interval: "Score with 95 % interval"."""
    return f"{what} with {percent(confidence)} interval"


def p_value(value: float) -> str:
    """A p-value with three decimals, or that it is less than 0.001; never 0."""
    return f"<{SMALLEST_P}" if value < SMALLEST_P else f"{value:.3f}"


def p_is(value: float) -> str:
    """A p-value within a sentence: p = 0.012, or p < 0.001."""
    return f"p < {SMALLEST_P}" if value < SMALLEST_P else f"p = {p_value(value)}"


def literal(text: str) -> str:
    """A text that users wrote, such as a system's name, as Markdown that shows it as it is."""
    return _MARKUP.sub(r"\\\1", text)


def counted(number: int, noun: str) -> str:
    """The number with its noun, in the plural where that is due."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
