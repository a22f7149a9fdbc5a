"""The version of Assay, which every signature carries."""

__version__ = "0.1.0"
