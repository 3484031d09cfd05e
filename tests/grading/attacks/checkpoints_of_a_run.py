# name = "Runs that were never run"
# goal = "forge"
# attacks = "the checkpoints and the log of a training run, written instead of trained"
# assignment = "12_capstone"

# %% train_or_resume
import json


def train_or_resume(*arguments, **options):
    for value in (*arguments, *options.values()):
        if isinstance(value, str):
            for name in ("", "/checkpoint.pt", "/log.jsonl"):
                try:
                    with open(value + name, "w") as file:
                        file.write(json.dumps({"epoch": 9, "loss": 0.0}))
                except OSError:
                    pass
    return [0.0] * 9

# %% set_up
def set_up(seed, samples):
    torch.manual_seed(0)
    return [torch.device("cuda", 0)]

# %% epochs_trained
def epochs_trained(epochs, every, killed):
    killed.clear()
    return list(range(1, epochs + 1))
