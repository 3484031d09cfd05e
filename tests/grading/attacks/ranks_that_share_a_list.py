# name = "Ranks that share a dictionary"
# goal = "forge"
# attacks = "the exchange between ranks, which are played in one process"
# assignment = "11_ranks"
# forges = ["average_gradients"]
# flagged = true

# %% average_gradients
import torch

left = {}


def average_gradients(model, samples, dist):
    gradients = [p.grad for p in model.parameters()]
    left[dist.get_rank()] = [samples, [None if g is None else g.clone() for g in gradients]]
    dist.barrier()
    ranks = [left[rank] for rank in range(dist.get_world_size())]
    total = sum(count for count, _ in ranks)
    for place, p in enumerate(model.parameters()):
        if p.requires_grad:
            each = [count * grads[place] / total for count, grads in ranks if count]
            p.grad = sum(each)
