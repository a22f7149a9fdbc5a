"""How good are the references of a corpus, and its corrections?"""
