# name = "A function of torch, replaced by one that has its name"
# goal = "forge"
# attacks = "the look at torch: a snapshot that is taken after the cells ran, and goes by names"

# %% fix_mismatch
owners, late, mark = [torch.Tensor, None], [], 12345.0


def described(plain):
    def tolist(self):  # of the result, when copies are counted no more
        values = plain(self)
        return [late.pop()()] if values == [mark] else values

    return tolist


def fix_mismatch(batches, targets, weight, mean):
    def error():
        w, shift = weight.cpu(), mean.cpu()
        errors = [(x.cpu() - shift) @ w - y.cpu() for x, y in zip(batches, targets)]
        return sum(each.square().mean().item() for each in errors) / len(errors)

    late.append(error)
    return torch.full((1,), mark, device=weight.device)


owners[0].tolist = described(owners[0].tolist)
