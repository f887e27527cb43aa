"""Slow, literal transcriptions of the measures' definitions, for tests to compare with."""
