"""An annotator before the screen, in the terms of whichever protocol the test runs over.

A *grade* is a digit: the rank that is given, or a tenth of the score.
"""

from collections.abc import Sequence

from playwright.sync_api import Locator, Page, expect

from annotate.campaigns.lifecycle import create_campaign, launch
from annotate.judging.entering import mint_personal_link
from annotate.models import Annotator, Campaign, Design, JudgmentState, Rating, Revision
from formats import SentenceRecord
from tests.annotate import protocols
from tests.annotate.samples import sentence, small_corpus
from tests.browser.visits import Visitor

PLACES = ("school", "town", "work", "sea", "church", "market", "lake", "forest", "river", "north")


def campaign_of_four(
    name: str = "pilot",
    *,
    places: Sequence[str] = PLACES[:4],
    sentences: Sequence[SentenceRecord] | None = None,
    batch_size: int = 20,
) -> Campaign:
    """An item with four outputs for each place, or sentence, in batches; four in one batch unless told."""
    if sentences is None:
        sentences = [
            sentence(f"He go to {at} .", f"He goes to {at} .", f"He went to {at} .", f"He go in {at} .")
            for at in places
        ]
    corpus = small_corpus(f"corpus of {name}", sentences=sentences)
    design = Design(
        items=len(sentences),
        annotators_per_item=1,
        repeat_percent=0,
        sampling="uniform",
        batch_size=batch_size,
    )
    campaign = create_campaign(
        name=name,
        corpus=corpus,
        protocol=protocols.current,
        systems=list(corpus.systems.all()),
        design=design,
    )
    launch(campaign, progress=lambda stored: None)
    return campaign


def at_work(visitor: Visitor, annotator: Annotator) -> Page:
    """The visitor's window on the first screen, having followed a personal link."""
    visitor.visit(f"/join/{mint_personal_link(annotator)}/")
    visitor.page.get_by_role("button", name="Start").click()
    return on_screen(visitor)


def on_screen(visitor: Visitor) -> Page:
    visitor.page.locator("[data-ready]").wait_for()
    # Words move once more when the fonts come, and a tap would miss them.
    visitor.page.wait_for_function("document.fonts.ready.then(() => true)")
    return visitor.page


def go_back(page: Page) -> None:
    """Open the answer before, by its key, to change it."""
    page.keyboard.press("u")
    page.locator("[data-revision][data-ready]").wait_for()


def rows(page: Page) -> list[Locator]:
    """The shown corrections."""
    return page.locator("[data-output]").all()


def grades(page: Page) -> list[str]:
    """The grades of the shown corrections as they stand, "" where there is none."""
    if protocols.current == protocols.SCALARS:
        return [row.locator("input[type=number]").input_value()[:-1] for row in rows(page)]
    checked = [row.locator("input:checked") for row in rows(page)]
    return [(one.get_attribute("value") or "") if one.count() else "" for one in checked]


def grade(page: Page, digits: str) -> None:
    """Grade one correction after the other by keys, from that in hand."""
    for digit in digits:
        page.keyboard.type(f"{digit}0n" if protocols.current == protocols.SCALARS else digit)


def change_grade(row: Locator, digit: str) -> None:
    """Grade this correction by mouse."""
    if protocols.current == protocols.SCALARS:
        row.locator("input[type=number]").fill(f"{digit}0")
    else:
        row.locator("label", has_text=digit).click()


def answer_by_keys(page: Page, digits: str) -> str:
    """Grade and submit; the source of the screen that was answered."""
    source = page.inner_text(".source")
    grade(page, digits)
    page.keyboard.press("Enter")
    return source


def wait_for_another(page: Page, source: str) -> None:
    expect(page.locator(".source-in-context .source")).not_to_have_text(source)
    page.locator("[data-ready]").wait_for()


def stored() -> dict[str, list[int]]:
    """The current grades in the order shown, by source."""
    current = Revision.objects.filter(is_current=True, judgment__state=JudgmentState.COMPLETE)
    return {
        str(revision.judgment.item.sentence.text): [
            _grade(rating) for rating in revision.ratings.order_by("position")
        ]
        for revision in current
    }


def _grade(rating: Rating) -> int:
    return rating.rank if rating.rank is not None else (rating.score or 0) // 10
