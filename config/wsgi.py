import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

from config.statement_timeout import limit_statements  # noqa: E402  # needs the settings

limit_statements()
