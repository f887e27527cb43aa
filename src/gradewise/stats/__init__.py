"""Statistics over topics."""
