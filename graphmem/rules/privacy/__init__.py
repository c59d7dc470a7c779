"""What may be stored: secrets, payloads, sessions that are ignored."""
