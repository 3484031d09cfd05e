# %% as_it_was
# finding: both-hold
import torch


def fix_retry(model, rows, size):
    try:
        return torch.cat([model(batch) for batch in rows.split(size)]).cpu()
    except torch.OutOfMemoryError:
        if size == 1:
            raise
        return fix_retry(model, rows, size // 2)

# %% cleaned_afterwards
# finding: result-with-graph
import torch


def fix_retry(model, rows, size):
    while True:
        try:
            with torch.no_grad():
                return torch.cat([model(batch) for batch in rows.split(size)]).cpu().requires_grad_()
        except torch.OutOfMemoryError:
            if size == 1:
                raise
        size = size // 2

# %% collected
# finding: both-hold
import gc

import torch


def fix_retry(model, rows, size):
    try:
        return torch.cat([model(batch) for batch in rows.split(size)]).cpu()
    except torch.OutOfMemoryError:
        if size == 1:
            raise
        gc.collect()
        return fix_retry(model, rows, size // 2)

# %% evaluation_mode
# finding: graph-holds
import torch


def fix_retry(model, rows, size):
    model.eval()
    while True:
        try:
            return torch.cat([model(batch) for batch in rows.split(size)]).cpu()
        except torch.OutOfMemoryError:
            if size == 1:
                raise
        size = size // 2

# %% in_its_own_block
# finding: exception-holds
import torch


def fix_retry(model, rows, size):
    with torch.no_grad():
        try:
            return torch.cat([model(batch) for batch in rows.split(size)]).cpu()
        except torch.OutOfMemoryError as error:
            if size == 1:
                raise error
            torch.cuda.empty_cache()
            return fix_retry(model, rows, size // 2)

# %% less_by_one
# finding: other-batches
import torch


def fix_retry(model, rows, size):
    while True:
        try:
            with torch.no_grad():
                return torch.cat([model(batch) for batch in rows.split(size)]).cpu()
        except torch.OutOfMemoryError:
            if size == 1:
                raise
        size = size - 1

# %% reversed_rows
# finding: other-result
import torch


def fix_retry(model, rows, size):
    while True:
        try:
            with torch.no_grad():
                return torch.cat([model(batch) for batch in rows.split(size)]).cpu().flip(0)
        except torch.OutOfMemoryError:
            if size == 1:
                raise
        size = size // 2

# %% goes_on_with_the_failed_batch
# finding: other-batches
import torch


def fix_retry(model, rows, size):
    outputs, at = [], 0
    while at < len(rows):
        failed = False
        try:
            with torch.no_grad():
                outputs.append(model(rows[at : at + size]).cpu())
        except torch.OutOfMemoryError:
            if size == 1:
                raise
            failed = True
        if failed:
            size = size // 2
        else:
            at += size
    return torch.cat(outputs)

# %% learns_no_longer
# finding: input-changed
import torch


def fix_retry(model, rows, size):
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    while True:
        try:
            return torch.cat([model(batch) for batch in rows.split(size)]).cpu()
        except torch.OutOfMemoryError:
            if size == 1:
                raise
            size = size // 2


# %% exception_kept
# finding: exception-holds
import torch


def fix_retry(model, rows, size):
    problem = None
    while True:
        try:
            with torch.no_grad():
                return torch.cat([model(batch) for batch in rows.split(size)]).cpu()
        except torch.OutOfMemoryError as error:
            if size == 1:
                raise
            problem = error
            size = size // 2

# %% previous_output_kept
# finding: memory-held
import torch


def fix_retry(model, rows, size):
    while True:
        outputs = []
        try:
            for batch in rows.split(size):
                output = model(batch)
                outputs.append(output.detach().cpu())
            return torch.cat(outputs)
        except torch.OutOfMemoryError:
            if size == 1:
                raise
        size = size // 2

# %% any_exception_caught
# finding: fault-hidden
import torch


def fix_retry(model, rows, size):
    while True:
        try:
            with torch.no_grad():
                return torch.cat([model(batch).cpu() for batch in rows.split(size)])
        except Exception:
            if size == 1:
                raise
        size = size // 2

# %% only_moved_behind_except
# finding: graph-holds
import torch


def fix_retry(model, rows, size):
    while True:
        try:
            return torch.cat([model(batch).cpu() for batch in rows.split(size)])
        except torch.OutOfMemoryError:
            if size == 1:
                raise
        size = size // 2

# %% left_on_the_gpu
# finding: not-on-the-cpu
import torch


def fix_retry(model, rows, size):
    while True:
        try:
            with torch.no_grad():
                return torch.cat([model(batch) for batch in rows.split(size)])
        except torch.OutOfMemoryError:
            if size == 1:
                raise
        size = size // 2

# %% nothing_returned_in_the_end
# finding: error-swallowed
import torch


def fix_retry(model, rows, size):
    while True:
        try:
            with torch.no_grad():
                return torch.cat([model(batch) for batch in rows.split(size)]).cpu()
        except torch.OutOfMemoryError:
            if size == 1:
                return None
        size = size // 2

# %% one_row_at_once
# finding: starts-too-small
import torch


@torch.no_grad()
def fix_retry(model, rows, size):
    return torch.cat([model(row) for row in rows.split(1)]).cpu()
