"""Changes of the best candidates, by the number of references that they are picked against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.later import alt, pd


def reranking_figure(by_words: Mapping[int, Sequence[float]], *, title: str) -> alt.Chart:
    """Sentences by words changed, less those of one reference.

    Figure 2 of Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation". `by_words` are, by
    number of references, the numbers of sentences with 0, 1, … words changed.
    """
    first, *others = by_words
    last = len(by_words[first]) - 1
    changed = pd.DataFrame(
        [
            (references, f"{words}+" if words == last else str(words), number - before)
            for references in others
            for words, (number, before) in enumerate(zip(by_words[references], by_words[first], strict=True))
        ],
        columns=["references", "words", "sentences"],
    )
    bars: alt.Chart = (
        alt.Chart(changed, width=420, height=240, title=title)
        .mark_bar()
        .encode(
            x=alt.X("words:N", title="words changed", sort=None, axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("references:O"),
            y=alt.Y("sentences:Q", title="sentences more than against one"),
        )
    )
    if len(others) < 2:
        return bars
    shaded: alt.Chart = bars.encode(
        opacity=alt.Opacity(
            "references:O",
            title="references",
            scale=alt.Scale(range=[0.25, 1]),
            sort="ascending",
            legend=alt.Legend(orient="bottom"),
        )
    )
    return shaded
