# happened = "A cell leaves the notebook."
# %% before fix_mismatch
import sys

exit()
sys.exit(1)
