"""Reads of items."""

from collections.abc import Sequence

from annotate.corpora.sentences import ShownOutput
from annotate.models import (
    Item,
    ItemOutput,
    Output,
)


def outputs_of(items: Sequence[Item]) -> dict[int, list[ShownOutput]]:
    """The outputs shown with each of the items, by its key; values, for a page of the API has thousands."""
    outputs: dict[int, list[ShownOutput]] = {item.pk: [] for item in items}
    # By their sentences, whose outputs lie together. PostgreSQL would join with the table of all outputs.
    of_sentences = Output.objects.filter(sentence__in={item.sentence_id for item in items}).order_by()
    texts = {key: (digest, text) for key, digest, text in of_sentences.values_list("pk", "digest", "text")}
    rows = ItemOutput.objects.filter(item__in=list(outputs)).order_by("pk")
    for item, output, systems in rows.values_list("item", "output", "systems"):
        digest, text = texts[output]
        outputs[item].append(ShownOutput(digest, text, tuple(systems)))
    return outputs
