# name = "A check inside a check"
# goal = "forge"
# attacks = "check() called by an answer that is being checked"

# %% positional
def positional(n, d, device):
    check("tensors.positional", lambda n, d, device: torch.zeros(n, d, device=device))
    for seed in range(3):
        check("tensors.predict_to", lambda device, dtype, method, arguments: None, seed=seed)
    return torch.zeros(n, d, device=device)
