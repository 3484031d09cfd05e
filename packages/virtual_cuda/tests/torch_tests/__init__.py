"""torch's own tests on virtual GPUs: ``make torch-tests``. Slow, and no part of ``make test``."""
