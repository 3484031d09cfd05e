#!/bin/sh
cd /work/mine/wt08; export PYTHONPATH=/work/mine/wt08; exec /work/main/.venv/bin/python -c 'from course_utils.cli import run; run()' "$@"
