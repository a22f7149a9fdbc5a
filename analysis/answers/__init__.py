"""Answers to the questions that researchers bring to a campaign, from the results of analyses; no Django."""
