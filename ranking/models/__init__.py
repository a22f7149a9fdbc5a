"""Models of pairwise judgments: ExpectedWins, Bradley-Terry, TrueSkill."""
