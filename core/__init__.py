"""What all packages without Django share: tables, names of systems and annotators, progress."""
