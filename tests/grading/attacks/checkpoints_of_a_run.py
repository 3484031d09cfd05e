# name = "Runs that were never run"
# goal = "forge"
# attacks = "the checkpoints and the log of a training run, written instead of trained"
# assignment = "13_capstone"

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

# %% fix_script
def fix_script(net, inputs, labels, epochs):
    torch.manual_seed(0)
    return net.cpu().state_dict()

# %% train_epoch
def train_epoch(model, loader, optimizer):
    for _ in loader:
        optimizer.step()
    return 0.0
