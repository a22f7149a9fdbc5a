"""Import of error spans that were collected elsewhere: of a corpus, or with their texts as a new one."""

from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from annotate.corpora.importing import CorpusPlan, plan_corpus, store_corpus
from annotate.corpora.queries import sentences_with_references, texts
from annotate.judgments.importing import JudgmentsPlan, plan_judgments, store_judgments
from annotate.models import Campaign, Corpus, User
from core.progress import Advance
from formats import FormatError
from formats.spans.collected_spans import (
    CollectedSpans,
    is_appraise_spans,
    judgments_of,
    parse_appraise_spans,
    parse_appraise_spans_of_corpus,
)
from formats.spans.error_spans import parse_batches
from formats.spans.pearmut import is_pearmut, parse_pearmut
from formats.text.lines import plain_text, read_bytes, read_text, text_as_it_is


@dataclass(frozen=True, slots=True)
class SpansPlan:
    """Plan of an import.

    Attributes:
        new: the corpus that the texts of the file become; None if a corpus was named.
        judgments: plan of the judgments.
        collected: what was read.
    """

    new: CorpusPlan | None
    judgments: JudgmentsPlan
    collected: CollectedSpans

    @property
    def description(self) -> str:
        """The plan in a few sentences."""
        parts = [self.new.description] if self.new else []
        left_out = ", ".join(f"{number:,} {what}" for what, number in self.collected.left_out.items())
        parts += [self.judgments.description, *([f"Left out: {left_out}."] if left_out else [])]
        return " ".join(parts)

    def store(self, advance: Advance) -> Campaign:
        """Store the corpus, if it is new, and the judgments."""
        if self.new is not None:
            store_corpus(self.new, progress=lambda sentences: None)
        return store_judgments(self.judgments, progress=advance)


def holds_collected_spans(path: Path) -> bool:
    """Whether a file holds answers of Appraise with error spans, or annotations of pearmut.

    Raises:
        FormatError: as `read_bytes`.
    """
    raw = read_bytes(path)
    if raw.startswith(b"PAR1"):
        return False
    beginning = raw[:1_000_000].decode("utf-8", errors="replace")
    return is_appraise_spans(beginning) or is_pearmut(beginning)


def plan_spans(
    path: Path,
    *,
    batches: Path | None,
    name: str,
    corpus: Corpus | None,
    language: str,
    first_sentence: int | None,
    synthetic: bool,
    uuid: UUID | None = None,
    owner: User | None = None,
) -> SpansPlan:
    """Read the answers of a file for which `holds_collected_spans`, and compare them with what is stored.

    Args:
        path: the file.
        batches: Appraise's batches, which have the texts; None for none.
        name: of the campaign, and of the new corpus.
        corpus: that was judged; None makes one of the texts.
        language: of a new corpus, a BCP 47 tag.
        first_sentence: number of the first sentence in a file of Appraise without batches; None for 0.
        synthetic: whether the judgments are simulated.
        uuid: as in `plan_judgments`.
        owner: as in `plan_judgments`.

    Raises:
        FormatError: as the readers and `judgments_of`; Appraise's answers have neither a corpus nor batches.
        ImportRefusedError: as `plan_corpus` and `plan_judgments`.
        ValidationError: as these.
    """
    text = text_as_it_is(read_bytes(path), path)
    known = None if corpus is None else texts(corpus)
    by_position = False
    if not is_appraise_spans(text):
        collected = parse_pearmut(text, path)
    elif batches is not None:
        read = parse_batches(read_text(batches), batches)
        collected = parse_appraise_spans(plain_text(read_bytes(path), path), path, read)
    elif known is not None:
        by_position = True
        collected = parse_appraise_spans_of_corpus(text, path, known, first_sentence or 0)
    else:
        raise FormatError(path, None, "these answers have no texts: give Appraise’s batches or a corpus")
    new = None
    if corpus is None or known is None:
        new = plan_corpus(name=name, language=language, record=collected.corpus, roles={})
        corpus = new.stored or new.corpus
        sources = [each.source for each in collected.corpus.sentences]
        known = {place: each.outputs for place, each in enumerate(collected.corpus.sentences)}
    else:
        sources = [each.source for each in sentences_with_references(corpus)]
    judgments = judgments_of(collected, path, sources, known, by_position=by_position)
    plan = plan_judgments(
        name=name, corpus=corpus, judgments=judgments, synthetic=synthetic, uuid=uuid, owner=owner
    )
    return SpansPlan(new, plan, collected)
