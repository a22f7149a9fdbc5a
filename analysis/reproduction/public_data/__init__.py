"""The public data of papers, from which their tables are computed."""
