"""The rules. Knows nothing of rewards, observations or text."""
