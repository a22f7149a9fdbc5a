"""Parameters of analyses and metrics as a form, as a query of the API, and as options of a command.

All three are built from the metadata of one dataclass and checked by `metrics.parameters`, so an impossible
value is refused with the same words everywhere.
"""
