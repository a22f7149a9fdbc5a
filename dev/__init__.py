"""Benchmarks, tests of faults, and programs that generate committed files. Nothing imports it."""
