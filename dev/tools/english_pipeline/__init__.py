"""Trains the small English pipeline that ships with the metrics, from the English Web Treebank.

`python -m dev.tools.english_pipeline --data DIR` writes it; `README.md` in
`metrics/english/pipelines/assay_en_ewt` says what it is good for.
"""
