"""The addresses of a site with `DEBUG`."""

from django.urls import path

from annotate.web.lazy_views import LazyViews
from config import urls

urlpatterns = [
    *urls.urlpatterns,
    path("styleguide/", LazyViews("annotate.web.styleguide").styleguide, name="styleguide"),
]
