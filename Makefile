# Assay. `make demo` to look around, `make test` to check everything; docs/commands.md has the rest.

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

.PHONY: demo run test test-deep lint format load bench faults screenshots clean

demo: .venv/runtime
	@$(BIN)/python -m config.address $(HOST) $(PORT)
	$(BIN)/python manage.py migrate --verbosity 0
	$(BIN)/python manage.py collectstatic --noinput --verbosity 0
	$(BIN)/python manage.py load_demo --address http://$(HOST):$(PORT)/
	@$(SERVE)

run: .venv/runtime
	@$(BIN)/python -m config.address $(HOST) $(PORT)
	$(BIN)/python manage.py migrate --verbosity 0
	$(BIN)/python manage.py collectstatic --noinput --verbosity 0
	@$(SERVE)

# Everything on SQLite and the embedded broker, then again what depends on the database on DATABASE_URL and
# CELERY_BROKER_URL, where a database is named. PYTEST holds further options for pytest.
PYTEST ?=
TESTS := $(BIN)/pytest -q -n 2 --dist worksteal --durations 10

# Bytecode is kept, whatever the environment says: else each test process translates all tests anew.
test: export PYTHONDONTWRITEBYTECODE =
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
test-deep: test

# Types are checked while the audit waits for the network.
lint: .venv/development
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/oxlint --deny-warnings static/js
	$(BIN)/python -m dev.tools.dependency_audit & $(BIN)/mypy . && wait $$!

# Mends what can be mended without thinking.
format: .venv/development
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Two shared tasks at work, ten minutes each. PostgreSQL is the server of DATABASE_URL, and Redis that of CELERY_BROKER_URL.
load: .venv/development
	DATABASE_URL= CELERY_BROKER_URL= $(BIN)/python -m dev.benchmarks.load --database sqlite --highest
ifdef DATABASE_URL
	$(BIN)/python -m dev.benchmarks.load --database postgresql --highest
else
	@echo "DATABASE_URL is not set: no second run on PostgreSQL."
endif

bench: .venv/development
	$(BIN)/python -m dev.benchmarks

# Kills and cuts off whatever the site is made of while people judge, on a PostgreSQL and a Redis of its own.
faults: .venv/development
	$(BIN)/python -m dev.faults

# The pictures in the README, which a browser test takes of the demo.
screenshots: .venv/development
	$(BIN)/python -m tests.browser.chromium
	rm -f docs/screenshots/*.png
	SCREENSHOTS=$(CURDIR)/docs/screenshots DEEP_TESTS=1 $(BIN)/pytest -q -o faulthandler_timeout=3600 tests/browser/test_pictures.py

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache "$(HOME)/.cache/assay-tests"

.venv/runtime: requirements.txt
	@echo "Setting up the environment in .venv (once, or when requirements change) ..."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || \
		{ echo "Assay needs Python 3.11 (Debian: apt-get install python3.11 python3.11-venv)."; exit 1; }
	test -x $(BIN)/pip || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/development: requirements-dev.txt .venv/runtime
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@
