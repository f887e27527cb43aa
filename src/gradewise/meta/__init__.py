"""Measures on trial: what a measure is worth, one criterion a file."""
