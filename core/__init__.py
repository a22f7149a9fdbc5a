"""Shared by all packages without Django: tables, names of systems and annotators, progress."""
