"""Addresses of the dashboards."""

from django.urls import URLPattern, path

from annotate.web.lazy_views import LazyViews

corpus_views = LazyViews("analysis.pages.corpus_figures")
incentive_views = LazyViews("analysis.pages.incentive")
exclusion_views = LazyViews("analysis.pages.exclusions")
progress_views = LazyViews("analysis.pages.campaign_progress")
quality_views = LazyViews("analysis.pages.quality")
ranking_views = LazyViews("analysis.pages.ranking")
answer_views = LazyViews("analysis.pages.answers")
report_views = LazyViews("analysis.pages.answers_report")
analysis_views = LazyViews("analysis.results.analysis_pages")
follow_up_views = LazyViews("analysis.pages.follow_ups.undecided_pairs")
machine_follow_up_views = LazyViews("analysis.pages.follow_ups.beside_machine")
judgments_needed_views = LazyViews("analysis.pages.judgments_needed")
public_views = LazyViews("analysis.publishing.public_views")
leaderboard_views = LazyViews("analysis.publishing.leaderboard_views")
leaderboard_pages = LazyViews("analysis.publishing.leaderboard_pages")
release_views = LazyViews("analysis.releases.stored.views")
publishing_views = LazyViews("analysis.publishing.views")
learned_views = LazyViews("analysis.pages.learned")
file_views = LazyViews("analysis.results.result_files")
compare_views = LazyViews("analysis.pages.compare_metrics.views")
evaluation_views = LazyViews("analysis.pages.new_metrics.evaluate_metric")

CAMPAIGN, CORPUS = "campaigns/<uuid:uuid>", "corpora/<uuid:uuid>"

OWN_ADDRESSES = (
    ("metrics", "metrics-people", "metrics"),
    ("metrics/windows", "metric-windows", "metric-windows"),
    ("metrics/ranks", "metric-rank-pairs", "metric-rank-pairs"),
    ("metrics/synthetic-systems", "hybrids", "hybrids"),
    ("metrics/sweep", "metric-sweep", "metric-sweep"),
    ("metrics/causes", "metric-causes", "metric-causes"),
    ("metrics/disagreements", "disagreements", "metric-disagreements"),
)
"""Pages of analyses with addresses of their own: address below the campaign, analysis and URL name."""


def files(address: str, module: str, *routes: tuple[str, str, str]) -> list[URLPattern]:
    """Figures and tables of a page below its address, from views of a module of `analysis.pages`.

    Args:
        address: of the page, without a slash at the end.
        module: holds the views.
        routes: for each figure or table the names of its file, without ending, of its view, which ends in
            `_image` if it is a figure, and of the URL.
    """
    views = LazyViews(f"analysis.pages.{module}")
    return [
        path(
            f"{address}/{file}.<str:{'image' if view.endswith('_image') else 'file'}>",
            getattr(views, view),
            name=name,
        )
        for file, view, name in routes
    ]


urlpatterns = [
    path("compare-metrics/", compare_views.compare_metrics, name="compare-metrics"),
    path("compare-metrics/compute/", compare_views.compute_missing, name="compute-compared-metrics"),
    path(
        "compare-metrics/figure.<str:image>", compare_views.comparison_image, name="compared-metrics-figure"
    ),
    path("compare-metrics/table.<str:file>", compare_views.table, name="compared-metrics-table"),
    path("evaluate-metric/", evaluation_views.evaluate_metric, name="evaluate-metric"),
    path("evaluate-metric/compute/", evaluation_views.compute_evaluation, name="compute-evaluation"),
    path("evaluate-metric/figure.<str:image>", evaluation_views.evaluation_image, name="evaluation-figure"),
    path("evaluate-metric/table.<str:file>", evaluation_views.evaluation_table, name="evaluation-table"),
    path("published/<str:link>/", public_views.published, name="published"),
    path("published/<str:link>/preview.png", public_views.published_preview, name="published-preview"),
    path("published/<str:link>/<slug:name>.svg", public_views.published_figure, name="published-figure"),
    path("published/<str:link>/<slug:name>.zip", public_views.published_zip, name="published-zip"),
    path("leaderboards/<slug:slug>/", leaderboard_views.leaderboard, name="leaderboard"),
    path(
        "leaderboards/<slug:slug>/versions/",
        leaderboard_views.leaderboard_versions,
        name="leaderboard-versions",
    ),
    path(
        "campaigns/<uuid:uuid>/leaderboards/new/", leaderboard_pages.new_leaderboard, name="new-leaderboard"
    ),
    path(
        "campaigns/<uuid:uuid>/leaderboards/<slug:slug>/versions/<int:number>/show/",
        leaderboard_pages.choose_version,
        name="choose-version",
    ),
    path(
        "campaigns/<uuid:uuid>/leaderboards/<slug:slug>/retire/",
        leaderboard_pages.retire_leaderboard,
        name="retire-leaderboard",
    ),
    path(
        "campaigns/<uuid:uuid>/leaderboards/<slug:slug>/reopen/",
        leaderboard_pages.reopen_leaderboard,
        name="reopen-leaderboard",
    ),
    path(
        "campaigns/<uuid:uuid>/analyses/ranking-with-machine/follow-up/",
        machine_follow_up_views.machine_follow_up,
        name="machine-follow-up",
    ),
    path("campaigns/<uuid:uuid>/analyses/stopping/follow-up/", follow_up_views.follow_up, name="follow-up"),
    path("campaigns/<uuid:uuid>/published/", publishing_views.publications, name="publications"),
    path(
        "campaigns/<uuid:uuid>/published/<uuid:publication>/retract/",
        publishing_views.retract_publication,
        name="retract-publication",
    ),
    path(
        "campaigns/<uuid:uuid>/published/<uuid:publication>/restore/",
        publishing_views.restore_publication,
        name="restore-publication",
    ),
    path("campaigns/<uuid:uuid>/releases/", release_views.data_releases, name="data-releases"),
    path("campaigns/<uuid:uuid>/releases/<uuid:release>/", release_views.data_release, name="data-release"),
    path(
        "campaigns/<uuid:uuid>/releases/<uuid:release>/confirm/",
        release_views.confirm_data_release,
        name="confirm-data-release",
    ),
    path(
        "campaigns/<uuid:uuid>/releases/<uuid:release>/delete/",
        release_views.delete_data_release,
        name="delete-data-release",
    ),
    path(
        "campaigns/<uuid:uuid>/releases/<uuid:release>/data.zip",
        release_views.data_release_zip,
        name="data-release-zip",
    ),
    path("incentive/", incentive_views.incentive_page, name="incentive"),
    path("how-many-judgments/", judgments_needed_views.judgments_needed, name="judgments-needed"),
    path(
        "how-many-judgments/power.<str:image>",
        judgments_needed_views.power_image,
        name="judgments-needed-figure",
    ),
    path("campaigns/<uuid:uuid>/answers/", answer_views.answers, name="campaign-answers"),
    path(
        "campaigns/<uuid:uuid>/answers/compute/",
        answer_views.compute_answers,
        name="compute-campaign-answers",
    ),
    path(
        "campaigns/<uuid:uuid>/answers/report.<str:file>",
        report_views.report,
        name="campaign-answers-report",
    ),
    path("campaigns/<uuid:uuid>/ranking/", ranking_views.ranking, name="ranking"),
    path("campaigns/<uuid:uuid>/analyses/", analysis_views.analysis_list, name="analyses"),
    path("campaigns/<uuid:uuid>/analyses/<slug:analysis>/", analysis_views.analysis_page, name="analysis"),
    path(
        "campaigns/<uuid:uuid>/analyses/<slug:analysis>/compute/",
        analysis_views.compute_analysis,
        name="compute-analysis",
    ),
    path("corpora/<uuid:uuid>/analyses/", analysis_views.corpus_analysis_list, name="corpus-analyses"),
    path(
        "corpora/<uuid:uuid>/analyses/<slug:analysis>/",
        analysis_views.corpus_analysis_page,
        name="corpus-analysis",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/<slug:analysis>/compute/",
        analysis_views.compute_corpus_analysis,
        name="compute-corpus-analysis",
    ),
    *(
        path(
            f"{CAMPAIGN}/{address}/",
            analysis_views.analysis_page,
            {"analysis": analysis, "route": route},
            name=route,
        )
        for address, analysis, route in OWN_ADDRESSES
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/learned/<str:analysis>/model.json",
        learned_views.model_file,
        name="learned-model",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/learned/<str:analysis>/offer/",
        learned_views.offer_model,
        name="offer-learned",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/learned/<str:analysis>/withdraw/",
        learned_views.withdraw_model,
        name="withdraw-learned",
    ),
    path("campaigns/<uuid:uuid>/quality/", quality_views.quality, name="quality"),
    path(
        "campaigns/<uuid:uuid>/annotators/<int:annotator>/exclude/",
        exclusion_views.exclude,
        name="exclude-annotator",
    ),
    path(
        "campaigns/<uuid:uuid>/annotators/<int:annotator>/readmit/",
        exclusion_views.readmit,
        name="readmit-annotator",
    ),
    path("campaigns/<uuid:uuid>/ranking/compute/", ranking_views.compute_ranking, name="compute-ranking"),
    path("campaigns/<uuid:uuid>/progress.<str:image>", progress_views.progress_image, name="progress-figure"),
    path(
        "corpora/<uuid:uuid>/distinct-outputs.<str:image>",
        corpus_views.distinct_outputs_image,
        name="distinct-outputs",
    ),
    *files(
        f"{CORPUS}/analyses/maege",
        "maege",
        ("people", "people_image", "maege-people-figure"),
    ),
    *files(
        f"{CAMPAIGN}/metrics/disagreements",
        "disagreements",
        ("table", "table", "metric-disagreements-table"),
    ),
    path(
        f"{CAMPAIGN}/analyses/<slug:analysis>/<slug:part>.<str:file>",
        file_views.campaign_file,
        name="analysis-file",
    ),
    path(
        f"{CORPUS}/analyses/<slug:analysis>/<slug:part>.<str:file>",
        file_views.corpus_file,
        name="corpus-analysis-file",
    ),
]
