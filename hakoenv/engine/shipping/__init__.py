"""Private ships: cargo ships, cruise ships and fishing boats, their ports and what they carry."""
