# happened = "A cell prints sixty megabytes, and warnings to stderr."
# %% before fix_mismatch
import sys

for _ in range(6000):
    print("x" * 10_000)
print("a warning" * 100_000, file=sys.stderr)
