"""For those who write and release the course: texts, notebooks, releases, workspaces."""
