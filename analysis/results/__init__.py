"""Shared by all pages of results: the common page, its files, the registry of pages."""
