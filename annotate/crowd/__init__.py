"""Workers of crowd platforms: visits, consent, codes, payouts."""
