"""gunicorn's settings, wherever Assay is served: `gunicorn config.wsgi --config python:config.web_server`."""

worker_class = "config.web_worker.BufferedWorker"
workers = 2
threads = 4
# A new worker is a copy of the master, so it serves within a moment after one was killed.
preload_app = True
# What the master allows a worker between two signs of life, and a request between two pieces of its answer.
timeout = 60
# Less than what `config.side_by_side` allows the server to end in.
graceful_timeout = 8
loglevel = "warning"
