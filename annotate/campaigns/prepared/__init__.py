"""What a campaign's protocol fixes about outputs before anybody judges them, and what programs suggest."""
