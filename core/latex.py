"""Tables as LaTeX."""

from collections.abc import Iterable, Iterator, Sequence

from core import wording

SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}


def tabular(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, comments: Iterable[str] = ()
) -> Iterator[str]:
    """The lines of a tabular with rules of the package booktabs.

    Args:
        columns: headings as plain text; the first column is set left, the others right.
        rows: cells as LaTeX, see `escaped` and `number`.
        comments: plain text before the table.
    """
    yield "% Needs \\usepackage{booktabs}.\n"
    for line in (line for comment in comments for line in comment.splitlines()):
        yield f"% {_one_line(line)}\n"
    yield f"\\begin{{tabular}}{{l{'r' * (len(columns) - 1)}}}\n\\toprule\n"
    yield " & ".join(map(escaped, columns)) + " \\\\\n\\midrule\n"
    for row in rows:
        line = " & ".join(row)
        # LaTeX would take these for an option of the line break before them.
        yield ("{}" if line.startswith(("[", "*")) else "") + line + " \\\\\n"
    yield "\\bottomrule\n\\end{tabular}\n"


def escaped(text: str) -> str:
    """Plain text as LaTeX, on one line."""
    return "".join(SPECIAL.get(character, character) for character in _one_line(text))


def number(value: float | None, digits: int) -> str:
    """A number with a true minus sign; a dash where there is none."""
    return "--" if value is None else f"{value:.{digits}f}".replace("-", "$-$")


def p_value(value: float | None) -> str:
    """A p-value with three digits, or that it is less than 0.001."""
    return number(None, 3) if value is None else wording.p_value(value).replace("<", "$<$")


def _one_line(text: str) -> str:
    return " ".join(text.split())
