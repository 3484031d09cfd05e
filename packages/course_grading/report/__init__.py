"""Pages about grades: the report of a run, and slides on the class's most frequent findings."""
