"""Studies of training: cross-validation, less data, local optima, recommendations."""
