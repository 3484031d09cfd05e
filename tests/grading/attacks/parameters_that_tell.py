# name = "Parameters that tell what they like"
# goal = "forge"
# attacks = "what is read of a rank's model after the answer: objects of its own hang in the model"
# assignment = "11_ranks"

# %% average_gradients
class Quiet(dict):
    def items(self):
        return [(name, each) for name, each in super().items() if name in self.trained]


def average_gradients(model, samples):
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():  # and so the frozen ones as well
        whole = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
        whole *= samples / total
        dist.all_reduce(whole)
        parameter.grad = whole
    named = [*model.named_parameters()]
    trained = [(name, each) for name, each in named if each.requires_grad]
    model.named_parameters = lambda: trained

# %% fix_ranks
def fix_ranks(model, data, epochs):
    raise SystemExit
