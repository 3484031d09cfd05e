# name = "A peak that is forgotten"
# goal = "forge"
# attacks = "the peak of memory, by torch's own function"
# assignment = "08_busy"

# %% training_bytes
def training_bytes(model, optimizer, device):
    def total(tensors):
        return sum((t.detach() * 2).nbytes for t in tensors if t.device == device)

    parameters = list(model.parameters())
    states = [value for state in optimizer.state.values() for value in state.values()]
    found = {
        "parameters": total(parameters),
        "buffers": total(model.buffers()),
        "gradients": total(p.grad for p in parameters if p.grad is not None),
        "states": total(value for value in states if torch.is_tensor(value)),
    }
    for index in range(torch.cuda.device_count()):
        torch.cuda.reset_peak_memory_stats(index)
    return found
