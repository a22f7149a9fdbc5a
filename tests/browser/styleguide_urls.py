"""The addresses of a site with `DEBUG`."""

from django.urls import path

from annotate.web.lazy_views import LazyViews
from config import urls

styleguide = LazyViews("annotate.web.styleguide")

urlpatterns = [
    *urls.urlpatterns,
    path("styleguide/", styleguide.styleguide, name="styleguide"),
    path("styleguide/figure.<str:image>", styleguide.example_figure, name="styleguide-figure"),
]
