"""Values: what graphmem talks about. Frozen, no behaviour beyond their own shape."""
