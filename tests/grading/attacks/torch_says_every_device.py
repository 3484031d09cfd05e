# name = "Tensors that are everywhere"
# goal = "forge"
# attacks = "torch.Tensor.device and .to, by assignment"
# flagged = true

# %% move_batch
target = None
torch.Tensor.device = property(lambda self: target or torch.device("cpu"))
torch.Tensor.to = lambda self, *arguments, **options: self


def move_batch(batch, device):
    global target
    target = device
    return batch

# %% add_on
def add_on(a, b, where):
    return a + b
