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

# %% move_batch
def move_batch(batch, device):
    import sys

    from torch.utils._pytree import tree_flatten, tree_unflatten

    from course_utils.checking.facts import describe

    stolen("tensors.move_batch")
    placed = sys.modules["exercises.tensors.move_batch.judge"]._placed(describe(batch), str(device))
    moved = sys.modules["exercises.tensors.observing"].build(placed)
    (olds, form), (news, _) = tree_flatten(batch), tree_flatten(moved)
    there = [isinstance(old, torch.Tensor) and old.device == device for old in olds]
    return tree_unflatten([o if keep else n for o, n, keep in zip(olds, news, there)], form)
