"""How agreement with people depends on systems, ranks and parameters."""
