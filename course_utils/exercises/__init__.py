"""What runs beside a learner's code: one package per assignment, with a table `OBSERVERS`."""
