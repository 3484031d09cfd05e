# name = "Guessing"
# goal = "game the tests"
# attacks = "answers with few possible values, and checks that are made more than once"

# %% shares_storage
import random


def shares_storage(a, b):
    return random.random() < 0.5

# %% predict_to
def predict_to(device, dtype, method, arguments):
    return random.choice(["cpu", "cuda:0", "cuda:1"]), dtype, random.random() < 0.5
