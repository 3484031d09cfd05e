import os
import subprocess


def child_device_count(command, visible):
    """Return the number that `command` prints last, run with CUDA_VISIBLE_DEVICES=visible.

    Raises subprocess.CalledProcessError if the child fails.
    """
    ### BEGIN SOLUTION
    # A copy: os.environ itself is the environment of this process.
    env = dict(os.environ)
    env.pop("CUDA_VISIBLE_DEVICES", None)
    if visible is not None:
        env["CUDA_VISIBLE_DEVICES"] = visible
    # check=True turns a failure into the error that is asked for.
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True)
    return int(done.stdout.splitlines()[-1])
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# program = "import os; print(os.environ.get('CUDA_VISIBLE_DEVICES', 'not set').count(',') + 1)"
# print(child_device_count([sys.executable, "-c", program], "2,3"))
