"""The virtual clock, and the costs of work."""
