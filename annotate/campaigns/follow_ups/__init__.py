"""Follow-up campaigns: their drafts, and their judgments together with those of the campaigns they follow."""
