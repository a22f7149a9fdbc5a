"""How do annotators judge, and how far do they agree?"""
