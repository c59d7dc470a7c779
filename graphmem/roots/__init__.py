"""The composition root, by subject: the only place that joins ports to adapters. `graphmem.app` opens all of them."""
