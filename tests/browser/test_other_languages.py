"""A Czech, an Arabic and a Chinese corpus in the browser: judging by keys, and the page of the corpus."""

import pytest
from playwright.sync_api import expect

from annotate.campaigns.lifecycle import create_campaign, launch
from annotate.judging.entering import add_annotator
from annotate.models import Design, Rating, Role, User
from annotate.scores.scoring import score_corpus
from metrics import metric_from_text
from tests.annotate import protocols
from tests.annotate.designs import running_campaign
from tests.annotate.languages import WRITTEN, corpus_of
from tests.annotate.samples import no_progress, small_corpus
from tests.annotate.scores.scoring import Told
from tests.browser.conftest import NewVisitor
from tests.browser.working import at_work, rows, wait_for_another

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("language", WRITTEN)
def test_sentences_are_judged_and_the_corpus_is_looked_at(new_visitor: NewVisitor, language: str) -> None:
    corpus = corpus_of(language)
    campaign = create_campaign(
        name="judged",
        corpus=corpus,
        protocol=protocols.RANKING,
        systems=list(corpus.systems.all()),
        design=Design(items=4, annotators_per_item=1, repeat_percent=0, sampling="uniform"),
    )
    launch(campaign, progress=no_progress)
    visitor = new_visitor()
    page = at_work(visitor, add_annotator(campaign, name="ada"))
    source = page.locator(".source")
    assert source.evaluate("element => element.closest('[lang]').lang") == language
    direction = "rtl" if language == "ar" else "ltr"
    assert source.evaluate("element => getComputedStyle(element).direction") == direction
    visitor.check()
    visitor.picture(f"screen-{language}")
    text = page.inner_text(".source")
    outputs = len(rows(page))
    for rank in range(1, outputs + 1):
        page.keyboard.press(str(rank))
    page.keyboard.press("Enter")
    wait_for_another(page, text)
    assert Rating.objects.count() == outputs

    score_corpus(corpus=corpus, metrics=[metric_from_text("gleu")], by=None, steps=Told())
    reader = new_visitor(device="phone")
    reader.log_in(User.objects.create_user("rea", role=Role.RESEARCHER))
    reader.visit(f"{corpus.get_absolute_url()}scores/")
    expect(reader.page.get_by_text("it is for English, and the corpus is in").first).to_be_attached()
    expect(reader.page.get_by_role("row", name="Alder")).to_contain_text("1.000")
    reader.check()
    reader.visit(corpus.get_absolute_url())
    expect(reader.page.get_by_text(WRITTEN[language].sources[0]).first).to_be_visible()
    expect(reader.page.get_by_role("button", name="Label edits")).to_have_count(0 if language == "zh" else 1)
    reader.check()
    reader.picture(f"corpus-{language}")


@pytest.mark.parametrize(
    ("language", "files"),
    [
        ("en", []),
        ("cs", ["inter-latin-ext", "source-serif-4-latin-ext"]),
        ("ar", ["noto-naskh-arabic-arabic"]),
    ],
)
def test_letters_of_other_languages_are_loaded_where_they_are_used(
    new_visitor: NewVisitor, language: str, files: list[str]
) -> None:
    corpus = small_corpus() if language == "en" else corpus_of(language)
    campaign = running_campaign(corpus, items=1, repeat_percent=0)
    page = at_work(new_visitor(), add_annotator(campaign, name="ada"))
    loaded = page.evaluate(
        """performance.getEntriesByType("resource")
            .map(({ name }) => name.match(/([^/]+)-wght-normal/)?.[1]).filter(Boolean).sort()"""
    )
    assert loaded == sorted(["inter-latin", "source-serif-4-latin", *files])
