import os
import subprocess


def launch(program, card):
    """Run `program` on one GPU, which nvidia-smi calls `card`; return what it prints."""
    ### BEGIN SOLUTION
    # The process sees one card. Whatever nvidia-smi calls it, this card is `cuda:0` there.
    order = {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": str(card)}
    command = ["python", program, "cuda:0"]
    done = subprocess.run(command, env={**os.environ, **order}, capture_output=True, text=True)
    return done.stdout
    ### END SOLUTION


# %% try
# Try it out here: remove the # sign and run.
# print(launch("job.py", 2))
