"""The virtual clock, and what work costs."""
