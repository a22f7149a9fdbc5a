"""Metrics of gec-metrics (Goto et al. 2025), scored by an interpreter of their own.

gec-metrics needs torch and models, which Assay never imports: `worker` is a script that the other interpreter
runs, and the two exchange lines of JSON.
"""
