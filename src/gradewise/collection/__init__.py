"""Qrels and runs: reading, ordering, joining, simulating."""
