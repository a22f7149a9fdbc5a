"""The figures of a corpus."""

from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from annotate.corpora.queries import distinct_output_histogram
from annotate.web.access import AccountRequest, corpus_or_404, researcher
from annotate.web.images import image_of
from assay import __version__
from figures.references.distinct_outputs import distinct_outputs_figure


@researcher
@require_safe
def distinct_outputs_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    corpus = corpus_or_404(uuid)
    chart = distinct_outputs_figure(distinct_output_histogram(corpus), title=str(corpus))
    signature = f"distinct-outputs|corpus:{uuid}|assay:{__version__}"
    caption = "Number of sentences by number of distinct outputs"
    return image_of(chart, request, image, signature=signature, caption=caption)
