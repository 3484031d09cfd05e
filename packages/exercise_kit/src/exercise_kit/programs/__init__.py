"""Programs that are launched, stopped and looked at from outside."""
