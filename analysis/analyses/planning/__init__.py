"""How many judgments are enough?"""
