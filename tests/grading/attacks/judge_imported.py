# name = "The judge itself"
# goal = "steal"
# attacks = "exercises.*.judge, on whatever path it stands"
# flagged = true

# %% before predict_to
def stolen(name):
    import importlib
    import sys

    for place in ("/work", "/home", "/root", "/opt", "/srv", "..", "../..", "../../.."):
        sys.path.append(f"{place}/assignments")
    return importlib.import_module(f"exercises.{name}.judge").judge

# %% predict_to
def predict_to(device, dtype, method, arguments):
    return stolen("tensors.predict_to").oracle(
        device=device, dtype=dtype, method=method, arguments=arguments)

# %% shares_storage
def shares_storage(a, b):
    judge = stolen("tensors.shares_storage")
    return judge.truth
