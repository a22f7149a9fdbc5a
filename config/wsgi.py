"""The application as web servers load it."""

import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()
import_module(settings.ROOT_URLCONF)  # Now, not with the first request of each worker.

from config.request_limits import limit_requests  # noqa: E402  # needs the settings

limit_requests()
