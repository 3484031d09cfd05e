"""A notebook with a person's work: reading it, matching its cells, and repairing it."""
