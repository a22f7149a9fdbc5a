"""Charts drawn from plain data, one module for each figure; no Django."""
