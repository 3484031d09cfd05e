import torch


def prefetch(loader, device):
    """Yield the batches of `loader` on `device`, with the copy of the next one under way."""
    ### BEGIN SOLUTION
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in batch]

    def ready(batch):
        # Now, before the next copy is queued: later, the training would wait for that one as well.
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
            # The memory was taken for `copying`. Unless told who else uses it, torch would hand it
            # to a later copy while the training still reads it.
            tensor.record_stream(training)
        return batch

    waiting = None
    for batch in loader:
        handed_out = None if waiting is None else ready(waiting)
        waiting = fetch(batch)
        if handed_out is not None:
            yield handed_out
    if waiting is not None:
        yield ready(waiting)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# data = torch.utils.data.TensorDataset(torch.rand(6, 3), torch.arange(6))
# loader = DataLoader(data, batch_size=2, pin_memory=True)
# for inputs, targets in prefetch(loader, devices[1]):
#     print(inputs.device, targets)
