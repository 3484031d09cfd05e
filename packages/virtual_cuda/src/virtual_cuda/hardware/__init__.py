"""The cards of a machine, and which of them a process sees."""
