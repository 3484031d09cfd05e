import torch
from torch import nn


def fix_parallel(model, batches):
    """Train `model` on two GPUs and return its weights."""
    ### BEGIN SOLUTION
    # The wrapper scatters batches, but never moves the module to its main GPU.
    model.to("cuda:0")
    parallel = nn.DataParallel(model, device_ids=[0, 1])
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        # The batch stays on the CPU: from there, each part goes straight to its GPU.
        outputs = parallel(batch)
        # The wrapper passes calls on, and not attributes. The outputs are on the main GPU, and the
        # targets go there: the outputs would take their gradients through the CPU as well.
        loss = model.loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    # The keys of the wrapper all begin with `module.`, and a bare model could not load them.
    return model.state_dict()
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# class Regression(nn.Linear):
#     def loss(self, outputs, targets):
#         return nn.functional.mse_loss(outputs, targets)
#
# batches = [(torch.randn(8, 3), torch.randn(8, 2)) for _ in range(3)]
# print(fix_parallel(Regression(3, 2), batches))
