"""Addresses of the pages."""

from django.contrib.auth.views import LogoutView
from django.urls import path
from django.views.decorators.http import require_http_methods

from annotate.accounts import views as account_views
from annotate.crowd import views as crowd_views
from annotate.judging import entering_views, pause_views, practice_views
from annotate.judging import views as annotator_views
from annotate.web.access import account, anyone
from annotate.web.lazy_views import LazyViews

admin_views = LazyViews("annotate.accounts.admin_views")
api_views = LazyViews("annotate.api.document")
campaign_views = LazyViews("annotate.campaigns.views")
control_views = LazyViews("annotate.corpora.control_views")
edit_views = LazyViews("annotate.corpora.edit_views")
crowd_admin_views = LazyViews("annotate.crowd.admin_views")
deletion_views = LazyViews("annotate.campaigns.deletion_views")
export_views = LazyViews("annotate.judgments.export_views")
job_views = LazyViews("annotate.web.job_views")
machine_views = LazyViews("annotate.machines.views")
newcomer_views = LazyViews("annotate.campaigns.follow_ups.newcomer_views")
link_views = LazyViews("annotate.campaigns.link_views")
live_preview = LazyViews("annotate.campaigns.live_preview")
program_views = LazyViews("annotate.accounts.program_views")
reference_views = LazyViews("annotate.references.views")
report_views = LazyViews("annotate.campaigns.report_views")
score_views = LazyViews("annotate.scores.views")
submission_admin_views = LazyViews("annotate.submissions.admin_views")
submission_views = LazyViews("annotate.submissions.views")
trial_views = LazyViews("annotate.campaigns.trial_views")
upload_views = LazyViews("annotate.imports.views")
corpus_views = LazyViews("annotate.corpora.views")
description_views = LazyViews("annotate.corpora.description_views")
withdrawal_views = LazyViews("annotate.corpora.withdrawal_views")
home_views = LazyViews("annotate.campaigns.home")
judgment_views = LazyViews("annotate.judgments.views")
glossary_views = LazyViews("annotate.web.glossary")

form_page = require_http_methods(["GET", "HEAD", "POST"])

urlpatterns = [
    path("", home_views.home, name="home"),
    path("login/", anyone(form_page(account_views.Login.as_view())), name="login"),
    path("logout/", account(LogoutView.as_view()), name="logout"),
    path("account/", account(form_page(account_views.OwnAccount.as_view())), name="own-account"),
    path(
        "set-password/<str:uidb64>/<str:token>/",
        anyone(form_page(account_views.SetPassword.as_view())),
        name="set-password",
    ),
    path("accounts/", admin_views.list_accounts, name="accounts"),
    path("accounts/new/", admin_views.new_account, name="new-account"),
    path("accounts/<int:number>/", admin_views.show_account, name="account"),
    path("accounts/<int:number>/role/", admin_views.set_role, name="set-role"),
    path("accounts/<int:number>/deactivate/", admin_views.deactivate, name="deactivate-account"),
    path("accounts/<int:number>/reactivate/", admin_views.reactivate, name="reactivate-account"),
    path("accounts/<int:number>/password-link/", admin_views.password_link, name="password-link"),
    path("audit/", admin_views.audit, name="audit"),
    path("glossary/", glossary_views.glossary_page, name="glossary"),
    path("programs/", program_views.programs, name="programs"),
    path("programs/token/", program_views.mint_token, name="mint-token"),
    path("programs/token/revoke/", program_views.revoke_token, name="revoke-token"),
    path("programs/documentation/", api_views.documentation, name="api-documentation"),
    path("corpora/<uuid:uuid>/", corpus_views.corpus, name="corpus"),
    path("corpora/<uuid:uuid>/add/", upload_views.upload_addition, name="upload-addition"),
    path("corpora/<uuid:uuid>/edit/", description_views.edit, name="edit-corpus"),
    path("submit/<str:token>/", submission_views.submit_system, name="submit-system"),
    path("submitted/<str:token>/", submission_views.own_submission, name="own-submission"),
    path("submitted/<str:token>/confirm/", submission_views.confirm_submission, name="confirm-submission"),
    path("corpora/<uuid:uuid>/submissions/", submission_admin_views.submissions, name="submissions"),
    path(
        "corpora/<uuid:uuid>/submissions/links/<uuid:entrance>/revoke/",
        submission_admin_views.revoke,
        name="revoke-submission-link",
    ),
    path(
        "corpora/<uuid:uuid>/submissions/<uuid:submission>/accept/",
        submission_admin_views.accept,
        name="accept-submission",
    ),
    path("corpora/<uuid:uuid>/withdraw/", withdrawal_views.withdraw_system, name="withdraw-system"),
    path("corpora/<uuid:uuid>/take-back/", withdrawal_views.take_system_back, name="take-system-back"),
    path("corpora/<uuid:uuid>/controls/", control_views.make, name="make-controls"),
    path("corpora/<uuid:uuid>/controls.csv", control_views.table, name="controls"),
    path("corpora/<uuid:uuid>/scores/", score_views.scores, name="corpus-scores"),
    path("corpora/<uuid:uuid>/scores/compute/", score_views.compute, name="compute-scores"),
    path("corpora/<uuid:uuid>/scores/upload/", score_views.upload, name="upload-scores"),
    path("corpora/<uuid:uuid>/scores/figure.<str:image>", score_views.figure, name="scores-figure"),
    path("corpora/<uuid:uuid>/scores/table.<str:file>", score_views.table_file, name="scores-table"),
    path("corpora/<uuid:uuid>/scores/<uuid:scores>/", score_views.score_set, name="score-set"),
    path(
        "corpora/<uuid:uuid>/scores/<uuid:scores>/figure.<str:image>",
        score_views.set_figure,
        name="score-set-figure",
    ),
    path(
        "corpora/<uuid:uuid>/scores/<uuid:scores>/sentences.csv",
        score_views.sentences_file,
        name="sentence-scores",
    ),
    path("corpora/<uuid:uuid>/scores/<uuid:scores>/delete/", score_views.delete, name="delete-scores"),
    path("corpora/<uuid:uuid>/edits/", edit_views.label, name="label-edits"),
    path("campaigns/<uuid:uuid>/", judgment_views.campaign, name="campaign"),
    path("corpora/<uuid:uuid>/delete/", deletion_views.delete_corpus, name="delete-corpus"),
    path("campaigns/<uuid:uuid>/delete/", deletion_views.delete_campaign, name="delete-campaign"),
    path("campaigns/<uuid:uuid>/reports-and-skips/", report_views.reports, name="reports-and-skips"),
    path("campaigns/<uuid:uuid>/export/", export_views.export, name="export"),
    path(
        "campaigns/<uuid:uuid>/corrections.<str:file>",
        reference_views.corrections_file,
        name="corrections-file",
    ),
    path("campaigns/<uuid:uuid>/references/", reference_views.make, name="make-references"),
    path("corpora/<uuid:uuid>/references/", reference_views.references, name="references"),
    path("corpora/<uuid:uuid>/references/validity/", reference_views.draft_validity, name="draft-validity"),
    path(
        "corpora/<uuid:uuid>/references/<uuid:made>/remove/",
        reference_views.remove,
        name="remove-references",
    ),
    path("campaigns/<uuid:uuid>/invite/", link_views.invite, name="invite"),
    path("campaigns/<uuid:uuid>/annotators/<int:annotator>/link/", link_views.mint_link, name="mint-link"),
    path(
        "campaigns/<uuid:uuid>/annotators/<int:annotator>/revoke/",
        link_views.revoke_links,
        name="revoke-link",
    ),
    path(
        "campaigns/<uuid:uuid>/annotators/<int:annotator>/let-through/",
        link_views.let_through,
        name="let-through",
    ),
    path("campaigns/<uuid:uuid>/machines/", machine_views.machines_page, name="machines"),
    path(
        "campaigns/<uuid:uuid>/machines/<int:annotator>/family/",
        machine_views.family,
        name="machine-family",
    ),
    path(
        "campaigns/<uuid:uuid>/machines/<int:annotator>/token/",
        machine_views.mint,
        name="mint-machine-token",
    ),
    path(
        "campaigns/<uuid:uuid>/machines/<int:annotator>/token/revoke/",
        machine_views.revoke,
        name="revoke-machine-token",
    ),
    path("campaigns/<uuid:uuid>/shared-link/", link_views.mint_shared, name="mint-shared"),
    path("campaigns/<uuid:uuid>/shared-link/revoke/", link_views.revoke_shared, name="revoke-shared"),
    path("join/<str:token>/", entering_views.link, name="link"),
    path("crowd/<uuid:entrance>/", crowd_views.crowd, name="crowd"),
    path("crowd/<uuid:entrance>/frame/", crowd_views.frame, name="crowd-frame"),
    path("campaigns/<uuid:uuid>/crowd/", crowd_admin_views.settings, name="crowd-settings"),
    path("campaigns/<uuid:uuid>/crowd/payouts.csv", crowd_admin_views.payout_table, name="crowd-payouts"),
    path("judge/<uuid:uuid>/", annotator_views.work, name="work"),
    path("judge/<uuid:uuid>/guidelines/", annotator_views.guidelines, name="guidelines"),
    path("judge/<uuid:uuid>/end/", crowd_views.visit_end, name="visit-end"),
    path("judge/<uuid:uuid>/code/", entering_views.resume_code, name="resume-code"),
    path("judge/<uuid:uuid>/come-back/", entering_views.come_back, name="come-back"),
    path("judge/<uuid:uuid>/language/", entering_views.language, name="language"),
    path("judge/<uuid:uuid>/practice/<int:number>/", practice_views.practice, name="practice"),
    path(
        "judge/<uuid:uuid>/practice/<int:number>/compared/",
        practice_views.compared,
        name="practice-compared",
    ),
    path("judge/<uuid:uuid>/practice/result/", practice_views.result, name="practice-result"),
    path("judge/<uuid:uuid>/practice/end/", practice_views.end, name="end-practice"),
    path("judge/<uuid:uuid>/next-batch/", pause_views.next_batch, name="next-batch"),
    path("judge/<uuid:uuid>/ahead/", annotator_views.ahead, name="ahead"),
    path("judge/<uuid:uuid>/stop/", pause_views.stop, name="stop"),
    path("judge/<uuid:uuid>/answers/", annotator_views.answers, name="answers"),
    path("judge/<uuid:uuid>/answers/last/", annotator_views.last_answer, name="last-answer"),
    path("judge/<uuid:uuid>/<uuid:showing_uuid>/", annotator_views.showing, name="showing"),
    path("judge/<uuid:uuid>/<uuid:showing_uuid>/opinion/", annotator_views.opinion, name="opinion"),
    path("judge/<uuid:uuid>/<uuid:showing_uuid>/draft/", annotator_views.draft, name="draft"),
    path("judge/<uuid:uuid>/<uuid:showing_uuid>/skip/", annotator_views.skip, name="skip"),
    path("jobs/", job_views.jobs, name="jobs"),
    path("jobs/<uuid:uuid>/", job_views.job, name="job"),
    path("jobs/<uuid:uuid>/progress/", job_views.progress, name="job-progress"),
    path("jobs/<uuid:uuid>/cancel/", job_views.cancel, name="cancel-job"),
    path("jobs/<uuid:uuid>/again/", job_views.again, name="repeat-job"),
    path("imports/corpus/", upload_views.upload_corpus, name="upload-corpus"),
    path("imports/judgments/", upload_views.upload_judgments, name="upload-judgments"),
    path("imports/<uuid:uuid>/", upload_views.plan, name="upload"),
    path("imports/<uuid:uuid>/confirm/", upload_views.confirm, name="confirm-upload"),
    path("campaigns/new/", campaign_views.new, name="new-campaign"),
    path("campaigns/<uuid:uuid>/manage/", campaign_views.manage, name="manage-campaign"),
    path("campaigns/<uuid:uuid>/edit/", campaign_views.edit, name="edit-campaign"),
    path("corpora/<uuid:uuid>/campaign-preview/", live_preview.of_new, name="preview-new-campaign"),
    path("campaigns/<uuid:uuid>/edit/preview/", live_preview.of_draft, name="preview-campaign"),
    path("campaigns/<uuid:uuid>/try/<int:number>/", trial_views.trial, name="try-campaign"),
    path("campaigns/<uuid:uuid>/launch/", campaign_views.launch, name="launch-campaign"),
    path("campaigns/<uuid:uuid>/newcomers/", newcomer_views.ask_about_newcomers, name="ask-about-newcomers"),
    path("campaigns/<uuid:uuid>/clone/", campaign_views.clone, name="clone-campaign"),
    path("campaigns/<uuid:uuid>/pause/", campaign_views.pause, name="pause-campaign"),
    path("campaigns/<uuid:uuid>/resume/", campaign_views.resume, name="resume-campaign"),
    path("campaigns/<uuid:uuid>/close/", campaign_views.close, name="close-campaign"),
    path("campaigns/<uuid:uuid>/watch/", campaign_views.watch, name="watch-campaign"),
    path("campaigns/<uuid:uuid>/items/<int:number>/release/", campaign_views.release, name="release-item"),
    path("campaigns/<uuid:uuid>/items/<int:number>/drop/", campaign_views.drop, name="drop-item"),
]
