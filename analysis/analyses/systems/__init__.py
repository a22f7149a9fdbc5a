"""Which systems are better?"""
