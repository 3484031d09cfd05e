# happened = "A cell leaves a thread running for ever."
# flagged = true
# %% before fix_mismatch
import threading
import time

threading.Thread(target=lambda: [time.sleep(0.1) for _ in iter(int, 1)]).start()
