"""Measures: two families, the others, the grammar that names them and the registry."""
