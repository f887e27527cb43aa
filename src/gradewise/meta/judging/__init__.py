"""Judgments on trial: people and models as judges, one question a file; all take a Panel."""
