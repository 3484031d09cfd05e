# name = "Output without end"
# goal = "harm"
# attacks = "whoever keeps what is printed"
# honest = ["positional"]

# %% after positional
for _ in range(300):
    print("x" * 1_000_000)

# %% shares_storage
import sys


def shares_storage(a, b):
    while True:
        print("x" * 100_000)
        sys.stderr.write("y" * 100_000)
