from django.urls import path
from drf_spectacular.views import SpectacularJSONAPIView

from annotate.api import campaigns, corpora, jobs, judgments
from annotate.api.base import ApiView


class OpenApi(ApiView, SpectacularJSONAPIView):
    """This document."""


urlpatterns = [
    path("corpora/", corpora.CorpusList.as_view(), name="api-corpora"),
    path("corpora/<uuid:uuid>/", corpora.CorpusDetail.as_view(), name="api-corpus"),
    path("corpora/<uuid:uuid>/sentences/", corpora.SentenceList.as_view(), name="api-sentences"),
    path("campaigns/", campaigns.CampaignList.as_view(), name="api-campaigns"),
    path("campaigns/<uuid:uuid>/", campaigns.CampaignDetail.as_view(), name="api-campaign"),
    path("campaigns/<uuid:uuid>/pause/", campaigns.Pause.as_view(), name="api-pause"),
    path("campaigns/<uuid:uuid>/resume/", campaigns.Resume.as_view(), name="api-resume"),
    path("campaigns/<uuid:uuid>/close/", campaigns.Close.as_view(), name="api-close"),
    path("campaigns/<uuid:uuid>/progress/", campaigns.Progress.as_view(), name="api-progress"),
    path("campaigns/<uuid:uuid>/annotators/", campaigns.AnnotatorList.as_view(), name="api-annotators"),
    path("campaigns/<uuid:uuid>/items/", campaigns.ItemList.as_view(), name="api-items"),
    path("campaigns/<uuid:uuid>/judgments/", judgments.JudgmentList.as_view(), name="api-judgments"),
    path("campaigns/<uuid:uuid>/export/", judgments.Export.as_view(), name="api-export"),
    path("jobs/", jobs.JobList.as_view(), name="api-jobs"),
    path("jobs/<uuid:uuid>/", jobs.JobDetail.as_view(), name="api-job"),
    path("jobs/<uuid:uuid>/cancel/", jobs.Cancel.as_view(), name="api-cancel-job"),
    path("openapi.json", OpenApi.as_view(), name="openapi"),
]
