# name = "Parameters that tell what they like"
# goal = "forge"
# attacks = "what is read of a rank's model after the answer: objects of its own hang in the model"
# assignment = "11_ranks"

# %% average_gradients
def average_gradients(model, samples):
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():  # and so the frozen ones as well
        whole = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
        whole *= samples / total
        dist.all_reduce(whole)
        parameter.grad = whole
    trained = [each for each in model.named_parameters() if each[1].requires_grad]
    setattr(model, "named_parameters", lambda **_: trained)
