"""Figures, one function each, made with Altair."""
