"""MAEGE: metrics judged by lattices of corrections instead of people (Choshen and Abend 2018)."""
