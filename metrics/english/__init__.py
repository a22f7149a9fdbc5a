"""English texts: spaCy pipelines, parses, grammar checkers."""
