"""Probes by subject: a rule, a message, a result or an order each, in a line or two."""
