# name = "Torch patched while it is observed"
# goal = "forge"
# attacks = "torch between the call of the answer and the description of its result"
# flagged = true

# %% positional
def positional(n, d, device):
    plain = torch.Tensor.tolist

    def tolist(self):
        torch.Tensor.tolist = plain
        return plain(self)

    setattr(torch.Tensor, "tolist", tolist)
    setattr(torch, "is_" + "tensor", lambda thing: True)
    return torch.zeros(n, d, device=device)
