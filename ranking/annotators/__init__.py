"""How annotators work: quality, controls, leniency, reliability and style."""
