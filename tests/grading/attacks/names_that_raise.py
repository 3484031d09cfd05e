# name = "Names that cannot be asked for"
# goal = "harm"
# attacks = "what describes a result or an error by the name of its class: a hold that was willed"

# %% before fix_mismatch
class Raising(type):
    @property
    def __name__(cls):
        raise RuntimeError("no name")

    @property
    def __module__(cls):
        raise RuntimeError("no module")


class Thing(metaclass=Raising):
    pass


class Trouble(Exception, metaclass=Raising):
    pass


class Deep:
    def __repr__(self):
        return f"{self!r}"

# %% move_batch
def move_batch(batch, device):
    return Thing()

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    raise Trouble

# %% find_waits
def find_waits(needed, other=Deep()):
    return None
