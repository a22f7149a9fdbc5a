"""Addresses of the API."""

from django.urls import path

from annotate.web.lazy_views import LazyViews

additions = LazyViews("annotate.api.additions")
campaigns = LazyViews("annotate.api.campaigns")
corpora = LazyViews("annotate.api.corpora")
jobs = LazyViews("annotate.api.jobs")
judgments = LazyViews("annotate.api.judgments")
machines = LazyViews("annotate.api.machines")
scores = LazyViews("annotate.api.scores")
document = LazyViews("annotate.api.document")

urlpatterns = [
    path("corpora/", corpora.CorpusList, name="api-corpora"),
    path("corpora/<uuid:uuid>/", corpora.CorpusDetail, name="api-corpus"),
    path("corpora/<uuid:uuid>/add/", additions.AddToCorpus, name="api-add-to-corpus"),
    path("corpora/<uuid:uuid>/sentences/", corpora.SentenceList, name="api-sentences"),
    path("corpora/<uuid:uuid>/scores/", scores.ScoreSetList, name="api-scores"),
    path("corpora/<uuid:uuid>/scores/compute/", scores.ComputeScores, name="api-compute-scores"),
    path("corpora/<uuid:uuid>/scores/upload/", scores.UploadScores, name="api-upload-scores"),
    path("corpora/<uuid:uuid>/scores/<uuid:scores>/", scores.ScoreSetDetail, name="api-score-set"),
    path(
        "corpora/<uuid:uuid>/scores/<uuid:scores>/sentences/",
        scores.SentenceScoreList,
        name="api-sentence-scores",
    ),
    path("corpora/<uuid:uuid>/scores/<uuid:scores>/delete/", scores.DeleteScores, name="api-delete-scores"),
    path("campaigns/", campaigns.CampaignList, name="api-campaigns"),
    path("campaigns/<uuid:uuid>/", campaigns.CampaignDetail, name="api-campaign"),
    path("campaigns/<uuid:uuid>/pause/", campaigns.Pause, name="api-pause"),
    path("campaigns/<uuid:uuid>/resume/", campaigns.Resume, name="api-resume"),
    path("campaigns/<uuid:uuid>/close/", campaigns.Close, name="api-close"),
    path("campaigns/<uuid:uuid>/watch/", campaigns.WatchAgain, name="api-watch"),
    path("campaigns/<uuid:uuid>/progress/", campaigns.CampaignProgress, name="api-progress"),
    path("campaigns/<uuid:uuid>/annotators/", campaigns.AnnotatorList, name="api-annotators"),
    path("campaigns/<uuid:uuid>/items/", campaigns.ItemList, name="api-items"),
    path("campaigns/<uuid:uuid>/judgments/", judgments.JudgmentList, name="api-judgments"),
    path("campaigns/<uuid:uuid>/export/", judgments.Export, name="api-export"),
    path("machine/", machines.MachineTask, name="api-machine"),
    path("machine/items/", machines.MachineItems, name="api-machine-items"),
    path("machine/answers/", machines.MachineAnswers, name="api-machine-answers"),
    path("jobs/", jobs.JobList, name="api-jobs"),
    path("jobs/<uuid:uuid>/", jobs.JobDetail, name="api-job"),
    path("jobs/<uuid:uuid>/cancel/", jobs.Cancel, name="api-cancel-job"),
    path("openapi.json", document.OpenApi, name="openapi"),
]
