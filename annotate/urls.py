from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

from annotate import annotator_views, campaign_views, link_views, views
from annotate.access import account, anyone

urlpatterns = [
    path("", views.home, name="home"),
    path("login/", anyone(LoginView.as_view(template_name="annotate/login.html")), name="login"),
    path("logout/", account(LogoutView.as_view()), name="logout"),
    path("corpora/<uuid:uuid>/", views.corpus, name="corpus"),
    path("campaigns/<uuid:uuid>/", views.campaign, name="campaign"),
    path("campaigns/<uuid:uuid>/invite/", link_views.invite, name="invite"),
    path("campaigns/<uuid:uuid>/annotators/<int:annotator>/link/", link_views.mint, name="mint-link"),
    path("campaigns/<uuid:uuid>/annotators/<int:annotator>/revoke/", link_views.revoke, name="revoke-link"),
    path("campaigns/<uuid:uuid>/shared-link/", link_views.mint_shared, name="mint-shared"),
    path("campaigns/<uuid:uuid>/shared-link/revoke/", link_views.revoke_shared, name="revoke-shared"),
    path("join/<str:token>/", annotator_views.link, name="link"),
    path("judge/<uuid:uuid>/", annotator_views.work, name="work"),
    path("judge/<uuid:uuid>/come-back/", annotator_views.come_back, name="come-back"),
    path("judge/<uuid:uuid>/answers/", annotator_views.answers, name="answers"),
    path("judge/<uuid:uuid>/<uuid:showing_uuid>/", annotator_views.showing, name="showing"),
    path("judge/<uuid:uuid>/<uuid:showing_uuid>/draft/", annotator_views.draft, name="draft"),
    path("judge/<uuid:uuid>/<uuid:showing_uuid>/skip/", annotator_views.skip, name="skip"),
    path("campaigns/new/", campaign_views.new, name="new-campaign"),
    path("campaigns/<uuid:uuid>/manage/", campaign_views.manage, name="manage-campaign"),
    path("campaigns/<uuid:uuid>/edit/", campaign_views.edit, name="edit-campaign"),
    path("campaigns/<uuid:uuid>/launch/", campaign_views.launch, name="launch-campaign"),
    path("campaigns/<uuid:uuid>/clone/", campaign_views.clone, name="clone-campaign"),
    path("campaigns/<uuid:uuid>/pause/", campaign_views.pause, name="pause-campaign"),
    path("campaigns/<uuid:uuid>/resume/", campaign_views.resume, name="resume-campaign"),
    path("campaigns/<uuid:uuid>/close/", campaign_views.close, name="close-campaign"),
    path("campaigns/<uuid:uuid>/items/<int:number>/release/", campaign_views.release, name="release-item"),
]
