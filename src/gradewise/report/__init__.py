"""What people read: trec_eval's output, the demonstration."""
