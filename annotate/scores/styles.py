"""Scores against the references of one style, such as minimal corrections: how they are named."""

from annotate.models import Corpus

BY_STYLE = ":references="
"""Stands in the name of such scores between metric and style, as in "gleu:references=minimal"."""


def with_style(name: str, style: str) -> str:
    """The name of a metric's scores against the references of a style; empty for all references."""
    return f"{name}{BY_STYLE}{style}" if style else name


def metric_and_style(name: str) -> tuple[str, str]:
    """The metric of such a name, and the style; empty for all references."""
    metric, _, style = name.partition(BY_STYLE)
    return metric, style


def styles_of(corpus: Corpus) -> list[str]:
    """The styles of the corpus' references, in alphabetical order."""
    return sorted(set(corpus.reference_styles.values()))


def annotators_of_style(corpus: Corpus, style: str) -> list[str]:
    """The annotators whose references have this style."""
    return sorted(name for name, its in corpus.reference_styles.items() if its == style)
