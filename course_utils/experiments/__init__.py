"""Experiments that lessons run: child processes, ranks, data sets, copies, recordings."""
