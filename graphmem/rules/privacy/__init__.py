"""What may be stored: secrets, payloads, ignored sessions."""
