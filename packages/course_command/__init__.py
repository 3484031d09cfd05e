"""The command `course`, and code that its sub-commands share. They are added by entry points."""
