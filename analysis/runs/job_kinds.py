"""Names of the kinds of jobs, as stored in the database."""

RUN_ANALYSIS = "run-analysis"
RUN_SHORT_ANALYSIS = "run-short-analysis"
HELP_WITH_ANALYSIS = "help-with-analysis"
