"""What all pages of results share: the common page, its files, the registry of pages."""
