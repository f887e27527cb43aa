"""Tests of the distances between two runs."""
