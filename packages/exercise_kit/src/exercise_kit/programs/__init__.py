"""Programs that are started, stopped and observed from another process."""
