# %% bare_next
# finding: end-not-handled
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
            tensor.record_stream(training)
        return batch

    batches = iter(loader)
    upcoming = fetch(next(batches))
    while True:
        current = ready(upcoming)
        upcoming = fetch(next(batches))
        yield current

# %% by_index
# finding: index-asked-for
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
            tensor.record_stream(training)
        return batch

    number = 0
    while True:
        yield ready(fetch(loader[number]))
        number += 1

# %% by_way_of_another_gpu
# finding: copied-too-often
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to("cuda:0", non_blocking=True).to(device, non_blocking=True) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
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

# %% copying_stream_recorded
# finding: memory-given-away
import torch


def batches_ahead(loader, device):
    copier = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copier):
            moved = [t.to(device, non_blocking=True) for t in batch]
            done = torch.cuda.Event()
            done.record(copier)
        return moved, done

    batches = iter(loader)
    try:
        ready = fetch(next(batches))
    except StopIteration:
        return
    for batch in batches:
        following = fetch(batch)
        moved, done = ready
        stream = torch.cuda.current_stream(device)
        stream.wait_event(done)
        for t in moved:
            t.record_stream(copier)
        yield moved
        ready = following
    moved, done = ready
    stream = torch.cuda.current_stream(device)
    stream.wait_event(done)
    for t in moved:
        t.record_stream(copier)
    yield moved

# %% cpu_forgotten
# finding: needs-a-gpu
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
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

# %% current_gpu
# finding: left-behind
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.cuda(0, non_blocking=True) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
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

# %% event_synchronized
# finding: synchronized
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)
    waiting = None
    for batch in loader:
        if waiting is not None:
            waiting[1].synchronize()
        with torch.cuda.stream(copying):
            moved = [tensor.to(device, non_blocking=True) for tensor in batch]
        before, waiting = waiting, (moved, copying.record_event())
        if before is not None:
            yield before[0]
    if waiting is not None:
        waiting[1].synchronize()
        yield waiting[0]

# %% everything_first
# finding: too-far-ahead
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
            tensor.record_stream(training)
        return batch

    for batch in [fetch(batch) for batch in loader]:
        yield ready(batch)

# %% fetched_but_not_copied
# finding: not-ahead
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
            tensor.record_stream(training)
        return batch

    waiting = None
    for batch in loader:
        if waiting is not None:
            yield ready(fetch(waiting))
        waiting = batch
    if waiting is not None:
        yield ready(fetch(waiting))

# %% inputs_only
# finding: batch-changed
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in batch[:1]]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
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

# %% inputs_recorded_only
# finding: memory-given-away
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        batch[0].record_stream(training)
        return batch

    waiting = None
    for batch in loader:
        handed_out = None if waiting is None else ready(waiting)
        waiting = fetch(batch)
        if handed_out is not None:
            yield handed_out
    if waiting is not None:
        yield ready(waiting)

# %% none_first
# finding: more-than-the-batches
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
            tensor.record_stream(training)
        return batch

    waiting = None
    for batch in loader:
        handed_out = None if waiting is None else ready(waiting)
        waiting = fetch(batch)
        yield handed_out
    if waiting is not None:
        yield ready(waiting)

# %% order_turned
# finding: batch-changed
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in reversed(batch)]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
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

# %% printed
# finding: nothing-returned
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
            tensor.record_stream(training)
        return batch

    waiting = None
    for batch in loader:
        handed_out = None if waiting is None else ready(waiting)
        waiting = fetch(batch)
        if handed_out is not None:
            print(handed_out)
    if waiting is not None:
        print(ready(waiting))

# %% result_not_kept
# finding: left-behind
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            for tensor in batch:
                tensor.to(device, non_blocking=True)
            return batch

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
            pass
        return batch

    waiting = None
    for batch in loader:
        handed_out = None if waiting is None else ready(waiting)
        waiting = fetch(batch)
        if handed_out is not None:
            yield handed_out
    if waiting is not None:
        yield ready(waiting)

# %% returned_number
# finding: other-form
def batches_ahead(loader, device):
    return sum(1 for batch in loader)

# %% stream_of_the_current_gpu
# finding: one-stream
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream()

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
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

# %% stream_synchronized
# finding: synchronized
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        copying.synchronize()
        for tensor in batch:
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

# %% synchronized
# finding: synchronized
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        torch.cuda.synchronize(device)
        for tensor in batch:
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

# %% to_of_a_list
# finding: raised-in-the-program
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return batch.to(device, non_blocking=True)

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
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

# %% two_ahead
# finding: too-far-ahead
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
            tensor.record_stream(training)
        return batch

    waiting = []
    for batch in loader:
        waiting.append(fetch(batch))
        if len(waiting) > 2:
            yield ready(waiting.pop(0))
    for batch in waiting:
        yield ready(batch)

# %% waits_after_the_next_fetch
# finding: no-overlap
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
            tensor.record_stream(training)
        return batch

    waiting = None
    for batch in loader:
        before, waiting = waiting, fetch(batch)
        if before is not None:
            yield ready(before)
    if waiting is not None:
        yield ready(waiting)

# %% waits_the_wrong_way_round
# finding: copy-not-waited-for
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        copying.wait_stream(training)
        for tensor in batch:
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

# %% wrong_stream_waits
# finding: copy-not-waited-for
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        torch.cuda.current_stream().wait_stream(copying)
        for tensor in batch:
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

# %% yield_in_the_stream
# finding: stream-left-switched
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
            tensor.record_stream(training)
        return batch

    with torch.cuda.stream(copying):
        waiting = None
        for batch in loader:
            handed_out = None if waiting is None else ready(waiting)
            waiting = fetch(batch)
            if handed_out is not None:
                yield handed_out
        if waiting is not None:
            yield ready(waiting)

# %% blocking
# finding: host-waits-for-the-copy
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
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

# %% last_forgotten
# finding: batch-lost
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
            tensor.record_stream(training)
        return batch

    waiting = None
    for batch in loader:
        handed_out = None if waiting is None else ready(waiting)
        waiting = fetch(batch)
        if handed_out is not None:
            yield handed_out
