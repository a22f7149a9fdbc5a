"""Floor 3: corpora, campaigns, judgments and the pages where people work with them."""
