"""The campaigns: a large running one, a draft, earlier ones; annotators with links, items."""

import json
from hashlib import sha256

import numpy as np

from dev.benchmarks.large_site.corpus import CONTROL, SOURCE, SYSTEMS, made_by, output_counts, sentence_of
from dev.benchmarks.large_site.size import NAME, OUTPUTS, Size
from dev.benchmarks.large_site.turns import SCREENS_IN_A_BATCH, put_by


def store_campaigns(size: Size) -> None:
    from annotate.models import Annotator, Campaign, Corpus, Crowd, Design, Link, System
    from dev.benchmarks.bulk_rows import store

    corpus = Corpus.objects.get()
    systems = list(System.objects.all())
    for name, state, annotators in (
        (NAME, "running", size.annotators),
        ("Draft", "draft", 0),
        *((f"Earlier {number:02}", "closed", 20) for number in range(20)),
    ):
        campaign = Campaign.objects.create(
            name=name,
            corpus=corpus,
            protocol="relative-ranking",
            state=state,
            last_annotator_number=annotators,
        )
        campaign.systems.set(systems)
        Design.objects.create(
            campaign=campaign,
            items=size.items,
            sampling="uniform",
            annotators_per_item=size.annotators // 2,
            batch_size=SCREENS_IN_A_BATCH,
            guidelines="Rank the corrections.",
        )
        people = store(
            Annotator,
            annotators,
            campaign_id=campaign.pk,
            number=list(range(1, annotators + 1)),
            name=[f"annotator {number:04}" for number in range(annotators)],
            has_read_guidelines=True,
            has_practised=True,
            screens=size.judgments // annotators if state == "running" else 0,
        )
        store(
            Link,
            annotators,
            campaign_id=campaign.pk,
            annotator_id=people,
            token_digest=[sha256(f"{name} {number}".encode()).hexdigest() for number in people],
        )
    Crowd.objects.create(
        campaign=Campaign.objects.get(name=NAME),
        code_passed="PASSED",
        code_failed="FAILED",
        code_returned="RETURNED",
        consent="I agree.",
    )


def store_items(size: Size) -> None:
    from annotate.models import Campaign, Item, ItemOutput, Output, Sentence
    from dev.benchmarks.bulk_rows import store

    campaign = Campaign.objects.get(name=NAME)
    positions = sentence_of(np.arange(size.items))
    first_sentence = Sentence.objects.earliest("pk").pk
    asked = (first_sentence + positions).tolist()
    items = store(
        Item,
        size.items,
        campaign_id=campaign.pk,
        number=list(range(size.items)),
        sentence_id=asked,
        is_held=[put_by(number) == "held" for number in range(size.items)],
    )
    counts = output_counts(np.arange(size.sentences))
    firsts = Output.objects.earliest("pk").pk + np.cumsum(counts) - counts
    made = made_by(positions)
    names = (SOURCE, CONTROL, *SYSTEMS)
    store(
        ItemOutput,
        size.items * OUTPUTS,
        item_id=np.repeat(np.asarray(items), OUTPUTS).tolist(),
        output_id=(firsts[positions][:, None] + np.arange(OUTPUTS)).ravel().tolist(),
        systems=[
            json.dumps(sorted(name for name, output in zip(names, row, strict=True) if output == shown))
            for row in made.tolist()
            for shown in range(OUTPUTS)
        ],
    )
