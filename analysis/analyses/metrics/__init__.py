"""Which metrics agree with people?"""
