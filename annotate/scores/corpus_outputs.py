"""Arrays of the outputs of a corpus and the systems that produced them, for metrics and analyses."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from annotate.database.column_reading import NUMBER, read_columns
from annotate.models import Corpus, Output, Production, System
from core.arrays import IntArray
from core.progress import Advance

NO_OUTPUT = -1
ROWS_AT_ONCE = 5000


@dataclass(frozen=True, slots=True, eq=False)
class CorpusOutputs:
    """The D distinct outputs of all complete systems of a corpus of n sentences.

    Attributes:
        sentences: n.
        positions: shape (n,), the position of each sentence in the corpus.
        keys: shape (D,), the database keys of the outputs, ascending.
        places: shape (D,), the sentence of each output, counted from 0.
        systems: by name, sorted: the key of the system and its outputs as indices into `keys`, shape (n,),
            `NO_OUTPUT` for sentences without one.
    """

    sentences: int
    positions: IntArray
    keys: IntArray
    places: IntArray
    systems: Mapping[str, tuple[int, IntArray]]

    def numbers(self, keys: IntArray) -> IntArray:
        """The indices of these outputs in `keys`; `NO_OUTPUT` for others."""
        if not len(self.keys):
            return np.full(len(keys), NO_OUTPUT, dtype=np.int64)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[places] == keys, places, NO_OUTPUT)


def corpus_outputs(corpus: Corpus) -> CorpusOutputs:
    """Read the outputs of all systems in three queries. Incomplete systems are left out."""
    found = np.stack(read_columns(corpus.sentences.values_list("pk", "position"), [NUMBER] * 2))
    sentences = found[:, np.argsort(found[1])]
    whole = Production.objects.filter(system__corpus=corpus, system__is_whole=True)
    produced = read_columns(whole.values_list("system", "output", "sentence"), [NUMBER] * 3)
    order = np.argsort(sentences[0])
    places = order[np.searchsorted(sentences[0], produced[2], sorter=order)] if len(order) else produced[2]
    keys, first, numbers = np.unique(produced[1], return_index=True, return_inverse=True)
    systems = {}
    for name, key in System.objects.filter(corpus=corpus, is_whole=True).values_list("name", "pk"):
        picks = np.full(len(sentences[0]), NO_OUTPUT, dtype=np.int64)
        of_system = produced[0] == key
        picks[places[of_system]] = numbers[of_system]
        systems[name] = key, picks
    return CorpusOutputs(len(sentences[0]), sentences[1], keys, places[first], dict(sorted(systems.items())))


def texts_of(corpus: Corpus, outputs: CorpusOutputs, *, progress: Advance = lambda parts: None) -> list[str]:
    """The text of each of the D outputs; `progress` is called with 0 every few thousand."""
    rows = Output.objects.filter(sentence__corpus=corpus).order_by("pk").values_list("pk", "text")
    texts: dict[int, str] = {}
    for key, text in rows.iterator(chunk_size=ROWS_AT_ONCE):
        texts[key] = text or ""
        if not len(texts) % ROWS_AT_ONCE:
            progress(0)
    return [texts[key] for key in outputs.keys.tolist()]
