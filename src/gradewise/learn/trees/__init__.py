"""Boosted trees of LightGBM and XGBoost, trained for a measure."""
