"""What the lessons run and look at: child processes, ranks, phases, loaders, copies, recordings."""
