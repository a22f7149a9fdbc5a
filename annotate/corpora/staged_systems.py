"""Systems that join a stored corpus: written in short pieces, and visible once all their outputs are there.

Texts that the corpus has already are shared. Campaigns do not change: an item keeps its outputs with their
systems, and a campaign its systems.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field

from django.db.models import QuerySet

from annotate.database.corpus_counts import COUNTED_FIELDS, count_corpus
from annotate.database.staging import claimed_piece, delete_in_pieces, renew_stamp, stays
from annotate.models import Corpus, Output, Production, System
from formats.digests import text_digest
from jobs.refusals import RefusedError


@dataclass(frozen=True, slots=True)
class Joining:
    """An addition to a corpus that is under way.

    Attributes:
        piece: one of its short transactions.
        at_the_end: calls of the last transaction, in which the systems become visible.
    """

    piece: Callable[[], AbstractContextManager[None]]
    at_the_end: list[Callable[[], object]] = field(default_factory=list)


@contextmanager
def joining(corpus: Corpus, *, refusal: type[RefusedError], lost: str) -> Iterator[Joining]:
    """Claim the corpus for systems that the block creates with `is_whole=False`.

    Leftovers of a killed process are deleted first; if the block fails, its systems are deleted. Another
    process that claims the corpus ends this one at its next piece.

    Args:
        corpus: the corpus.
        refusal: what is raised if the corpus is being deleted, or was claimed by another process.
        lost: what is said if it was claimed by another process.
    """

    @contextmanager
    def piece() -> Iterator[None]:
        with claimed_piece(corpus, lost=refusal(lost)):
            if not stays(corpus):
                raise refusal(f"The corpus {corpus.name!r} has just been deleted.")
            yield

    corpus.refresh_from_db(fields=["touched_at"])
    with piece():
        pass  # From here on this process holds the stamp.
    try:
        _discard_unfinished(corpus)
        under_way = Joining(piece)
        yield under_way
        with piece():
            unfinished(corpus).update(is_whole=True)
            count_corpus(corpus)
            corpus.save(update_fields=COUNTED_FIELDS)
            for call in under_way.at_the_end:
                call()
    except BaseException:
        if renew_stamp(corpus):
            _discard_unfinished(corpus)
        raise


def unfinished(corpus: Corpus) -> QuerySet[System]:
    """The systems whose outputs are not all stored yet."""
    return corpus.systems.filter(is_whole=False)


def produce(rows: Sequence[tuple[System, int, str]]) -> list[Production]:
    """Store outputs, given by system, key of the sentence, and text; texts of other systems are shared."""
    texts = {(sentence, text_digest(text)): text for _, sentence, text in rows}
    sentences = {sentence for sentence, _ in texts}
    stored = Output.objects.filter(sentence__in=sentences).values_list("sentence", "digest", "pk")
    keys = {(sentence, digest): key for sentence, digest, key in stored}
    new = Output.objects.bulk_create(
        Output(sentence_id=sentence, text=text, digest=digest)
        for (sentence, digest), text in texts.items()
        if (sentence, digest) not in keys
    )
    keys |= {(output.sentence_id, output.digest): output.pk for output in new}
    return Production.objects.bulk_create(
        Production(system=system, sentence_id=sentence, output_id=keys[sentence, text_digest(text)])
        for system, sentence, text in rows
    )


def _discard_unfinished(corpus: Corpus) -> None:
    systems = unfinished(corpus)
    delete_in_pieces(Production.objects.filter(system__in=systems))
    delete_in_pieces(Output.objects.filter(sentence__corpus=corpus, productions=None))
    systems.delete()
