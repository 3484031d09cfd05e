# happened = "A cell leaves the notebook."
# flagged = true
# %% before mend_mismatch
import sys

exit()
sys.exit(1)
