"""Floor 4: analyses that run over judgments, and the pages and figures that show them."""
