"""A small corpus and judgments of it, imported as by a command."""

from collections.abc import Sequence
from pathlib import Path

from annotate.corpora.importing import plan_corpus, store_corpus
from annotate.corpora.queries import texts
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.models import Campaign, Corpus
from formats import CorpusRecord, Edit, JudgmentsFile, RankedGroup, RankingRecord, Reference, SentenceRecord
from formats.snapshot.resolution import Texts, resolve

SYSTEMS = ("INPUT", "Alder", "Birch", "Cedar")
JUDGES = ("anna", "ben")


def sentence(
    source: str,
    *outputs: str,
    references: Sequence[Reference] = (),
    document: str = "",
    domain: str = "",
) -> SentenceRecord:
    """A sentence that INPUT leaves as it is; the outputs are those of Alder, Birch and Cedar in order."""
    by_system = dict(zip(SYSTEMS, (source, *outputs), strict=False))
    return SentenceRecord(source, by_system, tuple(references), document, domain)


SENTENCES = (
    sentence(
        "She go home .",
        "She goes home .",
        "She goes home .",
        "She went home .",
        references=(
            Reference("0", "She goes home .", (Edit(1, 2, "Vform", ("goes", "went"), "REQUIRED", ""),)),
            Reference("1", "She went home .", None),
        ),
        document="letter",
        domain="private",
    ),
    sentence(
        "I has two cat .",
        "I have two cats .",
        "I have two cat .",
        "",
        references=(Reference("1", "I have two cats .", None),),
        document="letter",
        domain="private",
    ),
    sentence(
        "It is fine .",
        "It is fine .",
        "It is fine .",
        "It is fine .",
        references=(Reference("0", "It is fine .", ()),),
        document="report",
    ),
    sentence(
        "He like tea <b> & cake .",
        "He likes tea <b> & cake .",
        "He likes tea and cake .",
        "He like tea <b> & cake .",
        document="report",
    ),
)
"""Four sentences of two documents with 3, 4, 1 and 3 distinct outputs, one of them empty."""


def ranking(annotator: str, sentence: int, ranked: str, *, duration_ms: int | None = 30_000) -> RankingRecord:
    """A ranking in short: in "Alder Birch > Cedar = INPUT" two groups tie behind a better one; "" skips."""
    groups = [
        RankedGroup(tuple(sorted(systems.split())), rank)
        for rank, tied in enumerate(ranked.split(">") if ranked else [], start=1)
        for systems in tied.split("=")
    ]
    return RankingRecord(1, annotator, sentence, tuple(groups), duration_ms)


RANKINGS = (
    ranking("anna", 0, "Alder Birch > Cedar > INPUT"),
    ranking("ben", 0, "Alder Birch = Cedar > INPUT", duration_ms=None),
    ranking("anna", 1, "Alder > Birch > INPUT > Cedar", duration_ms=75_500),
    ranking("ben", 1, ""),
    ranking("ben", 2, "Alder Birch Cedar INPUT", duration_ms=0),
    ranking("anna", 3, "Birch > Alder > Cedar INPUT"),
)
"""Six judgments by two judges of five items: four complete ones, one skipped, one with a single output."""


def corpus_record(sentences: Sequence[SentenceRecord] = SENTENCES) -> CorpusRecord:
    """The sentences as a reader would return them."""
    return CorpusRecord(
        tuple(sentences), tuple(dict.fromkeys(name for record in sentences for name in record.outputs)), ()
    )


def judgments_file(rankings: Sequence[RankingRecord] = RANKINGS) -> JudgmentsFile:
    """The rankings as a reader would return them, from a file that counts its sentences from 0."""
    return JudgmentsFile(tuple(rankings), "appraise", first_sentence=0)


def small_corpus(
    name: str = "small",
    *,
    language: str = "en",
    sentences: Sequence[SentenceRecord] = SENTENCES,
    tokenisation: str = "",
) -> Corpus:
    """An imported corpus of the sentences, shown as they are stored; INPUT is its source."""
    plan = plan_corpus(
        name=name,
        language=language,
        record=corpus_record(sentences),
        roles={"INPUT": "source"},
        tokenisation=tokenisation,
    )
    return store_corpus(plan, progress=no_progress)


def small_campaign(
    corpus: Corpus,
    name: str = "judged",
    *,
    rankings: Sequence[RankingRecord] = RANKINGS,
    synthetic: bool = False,
) -> Campaign:
    """Imported judgments of the corpus."""
    return _campaign(name, corpus, texts(corpus), rankings, synthetic)


def campaign_without_texts(
    name: str = "judged-alone",
    *,
    rankings: Sequence[RankingRecord] = RANKINGS,
    synthetic: bool = False,
) -> Campaign:
    """Judgments imported without a corpus: outputs are known by their systems."""
    return _campaign(name, None, None, rankings, synthetic)


def no_progress(stored: int) -> None:
    """Nobody watches."""


def _campaign(
    name: str,
    corpus: Corpus | None,
    corpus_texts: Texts | None,
    rankings: Sequence[RankingRecord],
    synthetic: bool,
) -> Campaign:
    judgments = resolve(judgments_file(rankings), Path("judgments.xml"), texts=corpus_texts)
    plan = plan_judgments(name=name, corpus=corpus, judgments=judgments, synthetic=synthetic)
    return store_judgments(plan, progress=no_progress)
