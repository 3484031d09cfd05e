"""Pages about grades: the report of a run, and what a class believes, to be projected."""
