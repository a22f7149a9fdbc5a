from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

from annotate import views
from annotate.access import account, anyone

urlpatterns = [
    path("", views.home, name="home"),
    path("login/", anyone(LoginView.as_view(template_name="annotate/login.html")), name="login"),
    path("logout/", account(LogoutView.as_view()), name="logout"),
    path("corpora/<uuid:uuid>/", views.corpus, name="corpus"),
    path("campaigns/<uuid:uuid>/", views.campaign, name="campaign"),
]
