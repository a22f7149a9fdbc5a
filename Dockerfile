FROM python:3.11-slim-trixie

# pg_dump, pg_restore and psql, for the commands backup and restore, as new as Debian has them.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-client \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /srv/assay assay

WORKDIR /srv/assay
ENV PYTHONUNBUFFERED=1 NUMBA_CACHE_DIR=/srv/assay/var/numba

COPY requirements.txt .
RUN pip install --no-cache-dir --requirement requirements.txt

COPY . .
RUN install --directory --owner assay --group assay --mode 0700 var
USER 10001
VOLUME /srv/assay/var
EXPOSE 8000
CMD ["gunicorn", "config.wsgi", "--config", "python:config.web_server", "--bind", "0.0.0.0:8000", "--workers", "2", "--threads", "4"]
