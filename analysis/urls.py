"""Addresses of the dashboards."""

from django.urls import path

from annotate.web.lazy_views import LazyViews

corpus_views = LazyViews("analysis.pages.corpus_figures")
coverage_views = LazyViews("analysis.pages.coverage")
maege_views = LazyViews("analysis.pages.maege")
lattice_views = LazyViews("analysis.pages.lattice")
conservatism_views = LazyViews("analysis.pages.conservatism")
human_views = LazyViews("analysis.pages.human_performance")
incentive_views = LazyViews("analysis.pages.incentive")
reranking_views = LazyViews("analysis.pages.oracle_reranking")
perfect_views = LazyViews("analysis.pages.perfect_corrector")
exclusion_views = LazyViews("analysis.pages.exclusions")
progress_views = LazyViews("analysis.pages.campaign_progress")
quality_views = LazyViews("analysis.pages.quality")
ranking_views = LazyViews("analysis.pages.ranking")
analysis_views = LazyViews("analysis.pages.analyses")
statistics_views = LazyViews("analysis.pages.corpus_statistics")
metrics_views = LazyViews("analysis.pages.metrics_people")
hybrids_views = LazyViews("analysis.pages.hybrids")
sweep_views = LazyViews("analysis.pages.metric_sweep")
windows_views = LazyViews("analysis.pages.metric_windows")
corrections_views = LazyViews("analysis.pages.corrections")
valid_views = LazyViews("analysis.pages.valid_outputs")
grown_views = LazyViews("analysis.pages.grown_references")
follow_up_views = LazyViews("analysis.pages.follow_up")
stopping_views = LazyViews("analysis.pages.stopping")
judge_model_views = LazyViews("analysis.pages.judge_model")
stress_views = LazyViews("analysis.pages.stress")
judgments_needed_views = LazyViews("analysis.pages.judgments_needed")
publishing_views = LazyViews("analysis.publishing.views")
fragility_views = LazyViews("analysis.pages.fragility")
rank_pairs_views = LazyViews("analysis.pages.metric_rank_pairs")
learned_views = LazyViews("analysis.pages.learned")
disagreements_views = LazyViews("analysis.pages.disagreements")
compare_views = LazyViews("analysis.pages.compare_metrics")

urlpatterns = [
    path("compare-metrics/", compare_views.compare_metrics, name="compare-metrics"),
    path("compare-metrics/compute/", compare_views.compute_missing, name="compute-compared-metrics"),
    path(
        "compare-metrics/figure.<str:image>", compare_views.comparison_image, name="compared-metrics-figure"
    ),
    path("compare-metrics/table.<str:file>", compare_views.table, name="compared-metrics-table"),
    path(
        "corpora/<uuid:uuid>/analyses/human-performance/scores.<str:image>",
        human_views.scorers_image,
        name="scorers-figure",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/human-performance/table.<str:file>",
        human_views.table,
        name="scorers-table",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/perfect-corrector/curve.<str:image>",
        perfect_views.curve_image,
        name="perfect-corrector-figure",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/perfect-corrector/curve-table.<str:file>",
        perfect_views.table,
        name="perfect-corrector-table",
    ),
    path("published/<str:link>/", publishing_views.published, name="published"),
    path("published/<str:link>/<slug:name>.svg", publishing_views.published_figure, name="published-figure"),
    path("published/<str:link>/ranking.zip", publishing_views.published_zip, name="published-zip"),
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
    path("incentive/", incentive_views.incentive_page, name="incentive"),
    path("how-many-judgments/", judgments_needed_views.judgments_needed, name="judgments-needed"),
    path(
        "how-many-judgments/power.<str:image>",
        judgments_needed_views.power_image,
        name="judgments-needed-figure",
    ),
    path("campaigns/<uuid:uuid>/ranking/", ranking_views.ranking, name="ranking"),
    path("campaigns/<uuid:uuid>/analyses/", analysis_views.analysis_list, name="analyses"),
    path("campaigns/<uuid:uuid>/analyses/<slug:analysis>/", analysis_views.analysis_page, name="analysis"),
    path(
        "campaigns/<uuid:uuid>/analyses/<slug:analysis>/compute/",
        analysis_views.compute_analysis,
        name="compute-analysis",
    ),
    path(
        "campaigns/<uuid:uuid>/analyses/fragility/borders.<str:image>",
        fragility_views.fragility_image,
        name="fragility-figure",
    ),
    path(
        "campaigns/<uuid:uuid>/analyses/fragility/table.<str:file>",
        fragility_views.table,
        name="fragility-table",
    ),
    path(
        "campaigns/<uuid:uuid>/analyses/stopping/differences.<str:image>",
        stopping_views.stopping_image,
        name="stopping-figure",
    ),
    path("campaigns/<uuid:uuid>/analyses/stopping/follow-up/", follow_up_views.follow_up, name="follow-up"),
    path(
        "campaigns/<uuid:uuid>/analyses/stopping/table.<str:file>",
        stopping_views.table,
        name="stopping-table",
    ),
    path(
        "campaigns/<uuid:uuid>/analyses/corrections-coverage/curve.<str:image>",
        corrections_views.coverage_image,
        name="corrections-coverage-figure",
    ),
    path(
        "campaigns/<uuid:uuid>/analyses/corrections-coverage/curve-table.<str:file>",
        corrections_views.coverage_table,
        name="corrections-coverage-table",
    ),
    path(
        "campaigns/<uuid:uuid>/analyses/valid-outputs/shares.<str:image>",
        valid_views.shares_image,
        name="valid-outputs-figure",
    ),
    path(
        "campaigns/<uuid:uuid>/analyses/valid-outputs/table.<str:file>",
        valid_views.table,
        name="valid-outputs-table",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/grown-references/table.<str:file>",
        grown_views.table,
        name="grown-references-table",
    ),
    path(
        "campaigns/<uuid:uuid>/analyses/judge-model/effects.<str:image>",
        judge_model_views.effects_image,
        name="judge-model-figure",
    ),
    path(
        "campaigns/<uuid:uuid>/analyses/judge-model/table.<str:file>",
        judge_model_views.table,
        name="judge-model-table",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/stress/scores.<str:image>",
        stress_views.stress_image,
        name="stress-figure",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/stress/table.<str:file>",
        stress_views.table,
        name="stress-table",
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
    path(
        "corpora/<uuid:uuid>/analyses/corpus-statistics/edit-types.<str:image>",
        statistics_views.edit_types_image,
        name="edit-types-figure",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/corpus-statistics/agreement.<str:image>",
        statistics_views.agreement_image,
        name="reference-agreement-figure",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/coverage/curve.<str:image>",
        coverage_views.coverage_image,
        name="coverage-figure",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/coverage/curve-table.<str:file>",
        coverage_views.table,
        name="coverage-table",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/maege/correlations.<str:image>",
        maege_views.correlations_image,
        name="maege-figure",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/maege/types.<str:image>",
        maege_views.sensitivity_image,
        name="maege-types-figure",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/maege/people.<str:image>",
        maege_views.people_image,
        name="maege-people-figure",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/maege/table.<str:file>",
        maege_views.table,
        name="maege-table",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/maege/types-table.<str:file>",
        maege_views.types_table,
        name="maege-types-table",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/lattice/picture.<str:image>",
        lattice_views.lattice_image,
        name="lattice-figure",
    ),
    path("corpora/<uuid:uuid>/analyses/lattice/table.<str:file>", lattice_views.table, name="lattice-table"),
    path(
        "corpora/<uuid:uuid>/analyses/conservatism/correctors.<str:image>",
        conservatism_views.correctors_image,
        name="correctors-figure",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/conservatism/correctors-table.<str:file>",
        conservatism_views.correctors_table,
        name="correctors-table",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/conservatism/types.<str:image>",
        conservatism_views.types_image,
        name="type-ratios-figure",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/conservatism/types-table.<str:file>",
        conservatism_views.types_table,
        name="type-ratios-table",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/oracle-reranking/curve.<str:image>",
        reranking_views.reranking_image,
        name="reranking-figure",
    ),
    path(
        "corpora/<uuid:uuid>/analyses/oracle-reranking/curve-table.<str:file>",
        reranking_views.table,
        name="reranking-table",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/",
        analysis_views.analysis_page,
        {"analysis": "metrics-people", "route": "metrics"},
        name="metrics",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/agreement.<str:image>",
        metrics_views.agreement_image,
        name="metrics-agreement-figure",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/scatter.<str:image>",
        metrics_views.scatter_image,
        name="metrics-scatter-figure",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/tests.<str:image>",
        metrics_views.tests_image,
        name="metrics-tests-figure",
    ),
    path("campaigns/<uuid:uuid>/metrics/table.<str:file>", metrics_views.table, name="metrics-table"),
    path(
        "campaigns/<uuid:uuid>/metrics/windows/",
        analysis_views.analysis_page,
        {"analysis": "metric-windows", "route": "metric-windows"},
        name="metric-windows",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/windows/windows.<str:image>",
        windows_views.windows_image,
        name="metric-windows-figure",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/windows/course.<str:image>",
        windows_views.course_image,
        name="metric-course-figure",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/windows/table.<str:file>",
        windows_views.table,
        name="metric-windows-table",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/ranks/",
        analysis_views.analysis_page,
        {"analysis": "metric-rank-pairs", "route": "metric-rank-pairs"},
        name="metric-rank-pairs",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/ranks/pairs.<str:image>",
        rank_pairs_views.pairs_image,
        name="metric-rank-pairs-figure",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/ranks/table.<str:file>",
        rank_pairs_views.table,
        name="metric-rank-pairs-table",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/synthetic-systems/",
        analysis_views.analysis_page,
        {"analysis": "hybrids", "route": "hybrids"},
        name="hybrids",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/synthetic-systems/agreement.<str:image>",
        hybrids_views.agreement_image,
        name="hybrids-figure",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/synthetic-systems/scatter.<str:image>",
        hybrids_views.scatter_image,
        name="hybrids-scatter-figure",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/synthetic-systems/tests.<str:image>",
        hybrids_views.tests_image,
        name="hybrids-tests-figure",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/synthetic-systems/table.<str:file>",
        hybrids_views.table,
        name="hybrids-table",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/synthetic-systems/systems.<str:file>",
        hybrids_views.systems_table,
        name="hybrids-systems",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/sweep/",
        analysis_views.analysis_page,
        {"analysis": "metric-sweep", "route": "metric-sweep"},
        name="metric-sweep",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/sweep/sweep.<str:image>",
        sweep_views.sweep_image,
        name="metric-sweep-figure",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/sweep/table.<str:file>", sweep_views.table, name="metric-sweep-table"
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/disagreements/",
        analysis_views.analysis_page,
        {"analysis": "disagreements", "route": "metric-disagreements"},
        name="metric-disagreements",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/disagreements/distribution.<str:image>",
        disagreements_views.distribution_image,
        name="metric-disagreements-figure",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/disagreements/table.<str:file>",
        disagreements_views.table,
        name="metric-disagreements-table",
    ),
    path(
        "campaigns/<uuid:uuid>/metrics/learned/<str:analysis>/coefficients.<str:image>",
        learned_views.coefficients_image,
        name="learned-figure",
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
    path("campaigns/<uuid:uuid>/quality/compute/", quality_views.compute_quality, name="compute-quality"),
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
    path(
        "campaigns/<uuid:uuid>/ranking/systems.<str:image>",
        ranking_views.ranking_image,
        name="ranking-figure",
    ),
    path(
        "campaigns/<uuid:uuid>/ranking/agreement.<str:image>",
        ranking_views.agreement_image,
        name="agreement-figure",
    ),
    path(
        "campaigns/<uuid:uuid>/ranking/head-to-head.<str:image>",
        ranking_views.head_to_head_image,
        name="head-to-head-figure",
    ),
    path(
        "campaigns/<uuid:uuid>/ranking/tables/<slug:name>.<str:file>",
        ranking_views.table,
        name="ranking-table",
    ),
    path("campaigns/<uuid:uuid>/progress.<str:image>", progress_views.progress_image, name="progress-figure"),
    path(
        "corpora/<uuid:uuid>/distinct-outputs.<str:image>",
        corpus_views.distinct_outputs_image,
        name="distinct-outputs",
    ),
]
