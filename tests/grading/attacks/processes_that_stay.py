# name = "Processes that stay"
# goal = "next student"
# attacks = "the end of a submission: a double fork in a session of its own goes on for hours"
# flagged = true
# twice = true

# %% move_batch
import os
import subprocess
import sys
import time

subprocess.Popen(["sleep", "86399"], start_new_session=True)
subprocess.Popen([sys.executable, "-c", "import time; SURVIVOR = 1; time.sleep(86400)"],
                 start_new_session=True)
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    while True:
        for number in range(3, 4096):
            try:
                os.close(number)
            except OSError:
                pass
        time.sleep(1)
