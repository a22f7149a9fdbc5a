"""A Czech, an Arabic and a Chinese corpus: from files to controls, judgments, a ranking and scores."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import spacy
from django.core.management import call_command

from annotate.campaigns.lifecycle import create_campaign, launch
from annotate.corpora.adding_controls import make_controls
from annotate.corpora.labelling import LabellingRefusedError, label_edits, plan_labelling
from annotate.design.controls.any_language import looks
from annotate.design.protocols import Answer, RatingValue, Scales
from annotate.judging.handout import give_next_showing, shown_outputs
from annotate.judgments.queries import snapshot
from annotate.models import Campaign, Corpus, Design, Production, ScoreSet, SystemScore
from annotate.scores.evaluation import compared_with, evaluation_set, why_not
from annotate.scores.metric_setup import english_pipeline
from annotate.scores.scoring import ScoresRefusedError, score_corpus
from formats.text.line_ends import in_one_line
from metrics import METRICS, metric_from_text
from metrics.levenshtein import MinLd
from ranking import Scores, count_pairs, expected_wins
from tests.annotate import protocols
from tests.annotate.languages import NAMES, WRITTEN, Written
from tests.annotate.running import answer, cast
from tests.annotate.samples import no_progress
from tests.annotate.scores.scoring import Told

pytestmark = pytest.mark.django_db

SCORED_BY = ("gleu", "chrf", "imeasure", "sari", "errant", "green", "cleme")
FOR_ENGLISH = {"grammaticality", "meteor"}


@pytest.fixture(params=WRITTEN)
def written(request: pytest.FixtureRequest) -> Written:
    return WRITTEN[request.param]


def imported(written: Written, folder: Path) -> Corpus:
    """The corpus, imported by the command from files of one sentence a line."""
    files = {"source": written.sources, "INPUT": written.sources, "reference": written.corrected}
    for name, texts in {**files, **written.outputs}.items():
        (folder / name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    call_command(
        "import_corpus",
        "own",
        "--language",
        written.language,
        "--source",
        str(folder / "source"),
        "--system",
        *(str(folder / name) for name in ("INPUT", *NAMES)),
        "--reference",
        str(folder / "reference"),
        "--role",
        "INPUT=source",
    )
    return Corpus.objects.get()


@pytest.fixture
def corpus(written: Written, tmp_path: Path) -> Corpus:
    return imported(written, tmp_path)


def judged(corpus: Corpus, written: Written) -> Campaign:
    """Two annotators rank all outputs by how near they are to the corrected sentence."""
    campaign = create_campaign(
        name="judged",
        corpus=corpus,
        protocol=protocols.RANKING,
        systems=list(corpus.systems.all()),
        design=Design(
            items=4,
            outputs_per_screen=5,
            annotators_per_item=2,
            repeat_percent=0,
            sampling="uniform",
        ),
    )
    launch(campaign, progress=no_progress, secret="of the test")
    right = dict(zip(written.sources, written.corrected, strict=True))
    for annotator in cast(campaign):
        while (showing := give_next_showing(annotator)) is not None:
            wanted = right[showing.slot.item.sentence.text or ""]
            distances = [distance(output.output.text or "", wanted) for output in shown_outputs(showing)]
            ranks = [sorted({*distances}).index(each) + 1 for each in distances]
            answer(showing, said=Answer(tuple(RatingValue(rank=rank) for rank in ranks)))
    return campaign


def distance(text: str, wanted: str) -> float:
    from rapidfuzz.distance import Levenshtein

    return float(Levenshtein.distance(text, wanted))


def test_from_import_to_ranking_and_scores(corpus: Corpus, written: Written) -> None:
    make_controls(corpus=corpus, seed=1, progress=no_progress)
    controls = Production.objects.filter(system__name="SOURCE+ERROR").select_related("output", "sentence")
    texts = [(control.output.text or "", control.sentence.text or "") for control in controls]
    assert len(texts) == 4
    assert all(looks(control) != looks(source) for control, source in texts)

    ranked = expected_wins(count_pairs(snapshot(judged(corpus, written), names=True)))
    assert ranked.scores[0].system == "Good"
    assert ranked.scores[-1].system in ("Bad", "SOURCE+ERROR")

    scored = score_corpus(
        corpus=corpus, metrics=list(map(metric_from_text, SCORED_BY)), by=None, steps=Told()
    )
    for score_set in scored.sets:
        values = {
            score.system.name: score.value
            for score in SystemScore.objects.filter(score_set=score_set).select_related("system")
        }
        good, half, bad = (values[name] or 0 for name in NAMES)
        assert good > half > bad, score_set.name
    signatures = {each.metric: each.signature for each in ScoreSet.objects.all()}
    assert "|edits:forms-1|pipeline:none|" in signatures["errant"]
    tokens = "characters-1" if written.language == "zh" else "given"
    assert all(f"|tok:{tokens}|" in signature for signature in signatures.values())


def test_essays_from_import_to_ranking_and_scores(written: Written, tmp_path: Path) -> None:
    """Two essays, each of two sentences in lines of their own, are rated on scales by their distance."""

    def essays(texts: Sequence[str]) -> list[str]:
        return ["\n\n".join(texts[:2]), "\n".join(texts[2:])]

    outputs = {name: essays(texts) for name, texts in written.outputs.items()}
    right = dict(zip(map(in_one_line, essays(written.sources)), essays(written.corrected), strict=True))
    rows = [
        {
            "source": source,
            "outputs": {name: texts[number] for name, texts in outputs.items()},
            "references": [essays(written.corrected)[number]],
            "document": str(number),
        }
        for number, source in enumerate(essays(written.sources))
    ]
    path = tmp_path / "essays.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    call_command("import_corpus", "own", "--language", written.language, "--jsonl", str(path))
    corpus = Corpus.objects.get()
    assert corpus.holds_essays
    design = Design(
        items=2, outputs_per_screen=3, sampling="uniform", annotators_per_item=1, repeat_percent=0
    )
    campaign = create_campaign(
        name="rated",
        corpus=corpus,
        protocol=Scales.name,
        systems=list(corpus.systems.all()),
        design=design,
    )
    launch(campaign, progress=no_progress, secret="of the test")
    [annotator] = cast(campaign, "anna")
    while (showing := give_next_showing(annotator)) is not None:
        wanted = in_one_line(right[showing.slot.item.sentence.text or ""])
        points = [
            max(1, 4 - round(distance(output.output.text or "", wanted) / 4))
            for output in shown_outputs(showing)
        ]
        rated = (RatingValue(score=25 * each, rating_details={"Fluency": each}) for each in points)
        answer(showing, said=Answer(tuple(rated)))
    ranked = expected_wins(count_pairs(snapshot(campaign, names=True), Scores()))
    assert ranked.scores[0].system == "Good"
    assert ranked.scores[-1].system == "Bad"
    scored = score_corpus(
        corpus=corpus, metrics=list(map(metric_from_text, SCORED_BY)), by=None, steps=Told()
    )
    for score_set in scored.sets:
        scores = SystemScore.objects.filter(score_set=score_set)
        by_name = dict(scores.values_list("system__name", "value"))
        assert (by_name["Good"] or 0) > (by_name["Bad"] or 0), score_set.name


def test_metrics_of_english_are_refused_with_the_reason(corpus: Corpus) -> None:
    there = compared_with(corpus)
    reasons = {name: why_not(metric(), corpus, there) for name, metric in METRICS.items()}
    english = {name for name, reason in reasons.items() if reason.startswith("it is for English")}
    assert english == FOR_ENGLISH
    assert why_not(metric_from_text("meteor:stem=no"), corpus, there) == ""


def test_edits_are_labelled_by_form_where_there_are_tokens(corpus: Corpus, written: Written) -> None:
    if written.language == "zh":
        assert not corpus.has_tokens
        return
    labels = label_edits(plan_labelling(corpus, english_pipeline()), progress=no_progress)
    assert labels.types["R:SPELL"] >= 4
    assert labels.is_whole


@pytest.fixture
def own_tokeniser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An installed package that keeps two words of Chinese together."""
    package = tmp_path / "package"
    (package / "own_tokeniser-1.2.dist-info").mkdir(parents=True)
    (package / "own_tokeniser-1.2.dist-info" / "METADATA").write_text("Name: own_tokeniser\nVersion: 1.2\n")
    (package / "own_tokeniser.py").write_text(
        "import re\nwords = re.compile('昨天|电影|.').findall\ndef fails(text):\n    raise OSError('x')\n"
        "def changes(text):\n    return [text[1:]]\n"
    )
    monkeypatch.syspath_prepend(str(package))
    return "own_tokeniser"


def test_a_tokeniser_of_the_settings_separates_words(
    tmp_path: Path, settings: Any, own_tokeniser: str
) -> None:
    corpus = imported(WRITTEN["zh"], tmp_path)
    settings.TOKENISERS = {"zh": f"{own_tokeniser}:words"}
    assert evaluation_set(corpus).sources[0] == "我 昨天 去 看 电影 和 朋 友 了 。"
    [score_set] = score_corpus(corpus=corpus, metrics=[metric_from_text("gleu")], by=None, steps=Told()).sets
    assert "|tok:own_tokeniser:words-1.2|" in score_set.signature
    for named, fault in (
        ("nowhere:words", "the tokeniser nowhere:words cannot be used"),
        (f"{own_tokeniser}:missing", "cannot be used"),
        (f"{own_tokeniser}:fails", "has failed: x"),
        (f"{own_tokeniser}:changes", "changes texts, such as '我昨天"),
    ):
        settings.TOKENISERS = {"zh": named}
        with pytest.raises(ScoresRefusedError, match=fault):
            score_corpus(corpus=corpus, metrics=[MinLd()], by=None, steps=Told())


def test_a_tagger_of_the_settings_gives_parts_of_speech(tmp_path: Path, settings: Any) -> None:
    nlp = spacy.blank("cs")
    nlp.add_pipe("attribute_ruler").add([[{}]], {"POS": "NOUN"})  # type: ignore[attr-defined]
    nlp.to_disk(tmp_path / "nouns")
    corpus = imported(WRITTEN["cs"], tmp_path)
    settings.TAGGERS = {"cs": str(tmp_path / "nouns")}
    labels = label_edits(plan_labelling(corpus, english_pipeline()), progress=no_progress)
    assert labels.types["R:NOUN"]
    assert "|edits:forms-1+cs_pipeline-0.0.0-spacy-" in labels.signature
    settings.TAGGERS = {"cs": "nowhere"}
    with pytest.raises(LabellingRefusedError, match="there is no spaCy pipeline 'nowhere'"):
        plan_labelling(corpus, english_pipeline())
