"""The command `course`, and what its sub-commands share. They join it by entry points."""
