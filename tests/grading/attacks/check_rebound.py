# name = "Another check"
# goal = "forge"
# attacks = "the name that test cells call"
# honest = ["predict_to"]

# %% positional
class Passed:
    def __repr__(self):
        return "2"


def check(name, answer, seed=None):
    return Passed()


def positional(n, d, device):
    return check
