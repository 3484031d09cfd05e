def classifier(mean):
    """Return a model that subtracts `mean` and moves as a whole."""
    ### BEGIN SOLUTION
    from torch import nn

    class Classifier(nn.Module):
        def __init__(self, mean):
            super().__init__()
            # Buffers and modules that are registered move and are saved. A buffer is not trained.
            self.register_buffer("mean", mean)
            self.layers = nn.ModuleList([nn.Linear(3, 3)])
            self.head = nn.Linear(3, 2)

        def forward(self, batch):
            return self.head(self.layers[0](batch - self.mean))

    return Classifier(mean)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# model = classifier(torch.zeros(3)).to(devices[1])
# print(list(model.state_dict()), model(torch.ones(2, 3, device=devices[1])).device)
