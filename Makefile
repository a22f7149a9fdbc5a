# Assay. `make` lists the targets; docs/commands.md says more about each.

PYTHON ?= $(shell command -v python3.11 || echo python3)
BIN := .venv/bin
HOST ?= 127.0.0.1
PORT ?= 8000
WORKERS ?= 2
THREADS ?= 4
# The database says which jobs there are, so workers need not talk to each other.
ALONE := --without-gossip --without-mingle --without-heartbeat

# `exec`: so that make's child is what keeps the server and the worker running, and ends them when make ends.
SERVE = echo "Serving http://$(HOST):$(PORT)/, with a worker for long jobs (Ctrl+C stops both)" && \
	exec $(BIN)/python -m config.side_by_side \
	"web server=$(BIN)/gunicorn config.wsgi --config python:config.web_server --bind $(HOST):$(PORT) --workers $(WORKERS) --threads $(THREADS)" \
	"job worker=$(BIN)/celery --quiet -A config worker --loglevel warning $(ALONE)"

.PHONY: help demo run check test test-deep lint style format translations load bench faults screenshots clean

## lists the targets
help:
	@awk '/^## / { help = substr($$0, 4); next } \
		help && /^[a-z-]+:/ { sub(/:.*/, ""); printf "make %-12s %s\n", $$0, help } { help = "" }' Makefile

## sets up, and serves the demo with logins and links
demo: .venv/runtime
	@$(BIN)/python -m config.address $(HOST) $(PORT)
	$(BIN)/python manage.py migrate --verbosity 0
	$(BIN)/python manage.py collectstatic --noinput --verbosity 0
	$(BIN)/python manage.py load_demo --address http://$(HOST):$(PORT)/
	@$(SERVE)

## sets up, and serves the site
run: .venv/runtime
	@$(BIN)/python -m config.address $(HOST) $(PORT)
	$(BIN)/python manage.py migrate --verbosity 0
	$(BIN)/python manage.py collectstatic --noinput --verbosity 0
	@$(SERVE)

# Takes two minutes or less on a quiet machine with two cores. Types are checked beside the tests.
## checks style and types, and runs the tests of what changed
check: export PYTHONDONTWRITEBYTECODE =
check: style
	$(BIN)/mypy . & types=$$!; \
	DATABASE_URL=sqlite:///:memory: CELERY_BROKER_URL= $(BIN)/pytest -q -n 2 --dist worksteal -m "not slow" \
		$$($(BIN)/python -m dev.tools.changed_tests) $(PYTEST); tests=$$?; \
	wait $$types && exit $$tests

# Everything on SQLite and the embedded broker, then again what depends on the database on DATABASE_URL and
# CELERY_BROKER_URL, where a database is named. PYTEST holds further options for pytest. Some tests take turns
# (tests/rotation.py): each commit runs an eighth of them; `make test ROTATING=` and `make test-deep` run all.
PYTEST ?=
ROTATING ?= --rotating
TESTS := $(BIN)/pytest -q -n 2 --dist worksteal --durations 10 $(ROTATING)

# Bytecode is kept, whatever the environment says: else each test process translates all tests anew.
test: export PYTHONDONTWRITEBYTECODE =
## runs all tests
test: .venv/development
	$(BIN)/python -m tests.browser.chromium
	@echo "Tests on SQLite and the embedded broker"
	DATABASE_URL=sqlite:///:memory: CELERY_BROKER_URL= $(TESTS) $(PYTEST)
ifdef DATABASE_URL
	@echo "Tests of what depends on the database, on DATABASE_URL and CELERY_BROKER_URL"
	$(TESTS) --database-only $(PYTEST)
else
	@echo "DATABASE_URL is not set: no second run on PostgreSQL."
endif

# The same with every example and every combination, new random ones each time; takes about an hour.
test-deep: export DEEP_TESTS = 1
test-deep: PYTEST += -o faulthandler_timeout=3600
## runs all tests at full depth
test-deep: test

style: .venv/development
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/oxlint --deny-warnings static/js

# Types are checked while the audit waits for the network.
## checks style, types, import contracts and dependencies
lint: style
	$(BIN)/python -m dev.tools.dependency_audit & $(BIN)/mypy . && wait $$!

## mends style where ruff can
format: .venv/development
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Needs no gettext: Django's templates are read by Django, and files are written by Babel (docs/translations.md).
## collects texts for annotators, and updates and checks their translations
translations: .venv/development
	DJANGO_SETTINGS_MODULE=config.settings $(BIN)/python -m dev.tools.translations

# Two shared tasks at work, ten minutes each. PostgreSQL is the server of DATABASE_URL, and Redis that of CELERY_BROKER_URL.
## simulates a shared task on each database
load: .venv/development
	DATABASE_URL= CELERY_BROKER_URL= $(BIN)/python -m dev.benchmarks.load --database sqlite --highest
ifdef DATABASE_URL
	$(BIN)/python -m dev.benchmarks.load --database postgresql --highest
else
	@echo "DATABASE_URL is not set: no second run on PostgreSQL."
endif

## runs the benchmarks
bench: .venv/development
	$(BIN)/python -m dev.benchmarks

# Kills and cuts off whatever the site is made of while people judge, on a PostgreSQL and a Redis of its own.
## kills parts of a site while people judge
faults: .venv/development
	$(BIN)/python -m dev.faults

# The pictures in the README, which a browser test takes of the demo.
## retakes the pictures of the README
screenshots: .venv/development
	$(BIN)/python -m tests.browser.chromium
	rm -f docs/screenshots/*.png
	SCREENSHOTS=$(CURDIR)/docs/screenshots DEEP_TESTS=1 $(BIN)/pytest -q -o faulthandler_timeout=3600 tests/browser/test_pictures.py

## deletes the environment and what checks leave behind
clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache "$(HOME)/.cache/assay-tests"

.venv/runtime: requirements.txt
	@echo "Setting up the environment in .venv (once, or when requirements change) ..."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || \
		{ echo "Assay needs Python 3.11. Debian 12: apt-get install python3.11 python3.11-venv." \
		"Elsewhere, install it and add PYTHON=/path/to/python3.11 to the command."; exit 1; }
	test -x $(BIN)/pip || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/development: requirements-dev.txt .venv/runtime
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@
