# %% all_gpus
# finding: other-gpus
import torch
from torch import nn


def fix_parallel(model, batches):
    parallel = nn.DataParallel(model).to("cuda:0")
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs, targets.to("cuda:0"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return parallel.module.state_dict()

# %% batch_moved_first
# finding: main-gpu-got-more
import torch
from torch import nn


def fix_parallel(model, batches):
    parallel = nn.DataParallel(model, device_ids=[0, 1]).to("cuda:0")
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch.to("cuda:0"))
        loss = parallel.module.loss(outputs, targets.to("cuda:0"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return parallel.module.state_dict()

# %% characters_stripped
# finding: other-keys
import torch
from torch import nn


def fix_parallel(model, batches):
    parallel = nn.DataParallel(model, device_ids=[0, 1]).to("cuda:0")
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs, targets.to("cuda:0"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return {key.lstrip("module."): value for key, value in parallel.state_dict().items()}

# %% copy_trained_and_returned
# finding: another-model
import torch
from torch import nn


def fix_parallel(model, batches):
    import copy
    model = copy.deepcopy(model)
    model.to("cuda:0")
    parallel = nn.DataParallel(model, device_ids=[0, 1])
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return parallel.module.state_dict()

# %% first_batch_only
# finding: other-weights
import torch
from torch import nn


def fix_parallel(model, batches):
    parallel = nn.DataParallel(model, device_ids=[0, 1]).to("cuda:0")
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs, targets.to("cuda:0"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return parallel.module.state_dict()

# %% gathered_on_cuda_1
# finding: other-main-gpu
import torch
from torch import nn


def fix_parallel(model, batches):
    model.to("cuda:0")
    parallel = nn.DataParallel(model, device_ids=[0, 1], output_device=1)
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return parallel.module.state_dict()

# %% gradients_cleared_late
# finding: not-trained
import torch
from torch import nn


def fix_parallel(model, batches):
    parallel = nn.DataParallel(model, device_ids=[0, 1]).to("cuda:0")
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs, targets.to("cuda:0"))
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
    return parallel.module.state_dict()

# %% gradients_kept
# finding: gradients-kept
import torch
from torch import nn


def fix_parallel(model, batches):
    parallel = nn.DataParallel(model, device_ids=[0, 1]).to("cuda:0")
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs, targets.to("cuda:0"))
        loss.backward()
        optimizer.step()
    return parallel.module.state_dict()

# %% loss_of_their_own
# finding: another-loss
import torch
from torch import nn


def fix_parallel(model, batches):
    model.to("cuda:0")
    parallel = nn.DataParallel(model, device_ids=[0, 1])
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return parallel.module.state_dict()

# %% model_by_way_of_the_cpu
# finding: main-gpu-got-more
import torch
from torch import nn


def fix_parallel(model, batches):
    model.cpu().to("cuda:0")
    parallel = nn.DataParallel(model, device_ids=[0, 1])
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return parallel.module.state_dict()

# %% model_returned
# finding: other-form
import torch
from torch import nn


def fix_parallel(model, batches):
    parallel = nn.DataParallel(model, device_ids=[0, 1]).to("cuda:0")
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs, targets.to("cuda:0"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return parallel.module

# %% model_sent_in_every_step
# finding: brought-to-the-cpu
import torch
from torch import nn


def fix_parallel(model, batches):
    parallel = nn.DataParallel(model, device_ids=[0, 1]).to("cuda:0")
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        parallel.cpu()
        parallel.to("cuda:0")
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs, targets.to("cuda:0"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return parallel.module.state_dict()

# %% module_replaced_everywhere
# finding: other-keys
import torch
from torch import nn


def fix_parallel(model, batches):
    model.to("cuda:0")
    parallel = nn.DataParallel(model, device_ids=[0, 1])
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return {k.replace("module.", ""): v for k, v in parallel.state_dict().items()}

# %% no_return
# finding: nothing-returned
import torch
from torch import nn


def fix_parallel(model, batches):
    parallel = nn.DataParallel(model, device_ids=[0, 1]).to("cuda:0")
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs, targets.to("cuda:0"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    parallel.module.state_dict()

# %% no_step
# finding: not-trained
import torch
from torch import nn


def fix_parallel(model, batches):
    parallel = nn.DataParallel(model, device_ids=[0, 1]).to("cuda:0")
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs, targets.to("cuda:0"))
        optimizer.zero_grad()
        loss.backward()
    return parallel.module.state_dict()

# %% one_gpu
# finding: other-gpus
import torch
from torch import nn


def fix_parallel(model, batches):
    parallel = nn.DataParallel(model, device_ids=[0]).to("cuda:0")
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs, targets.to("cuda:0"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return parallel.module.state_dict()

# %% other_main_gpu
# finding: module-not-on-the-main-gpu
import torch
from torch import nn


def fix_parallel(model, batches):
    parallel = nn.DataParallel(model, device_ids=[1, 0]).to("cuda:0")
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs, targets.to("cuda:0"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return parallel.module.state_dict()

# %% other_order
# finding: other-main-gpu
import torch
from torch import nn


def fix_parallel(model, batches):
    model.to("cuda:1")
    parallel = nn.DataParallel(model, device_ids=[1, 0])
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return parallel.module.state_dict()

# %% trained_on_a_copy
# finding: not-trained
import copy

import torch
from torch import nn


def fix_parallel(model, batches):
    parallel = nn.DataParallel(copy.deepcopy(model), device_ids=[0, 1]).to("cuda:0")
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs, targets.to("cuda:0"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.state_dict()

# %% no_wrapper
# finding: other-gpus
import torch


def fix_parallel(model, batches):
    model.to("cuda:0")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = model(batch.to("cuda:0"))
        loss = model.loss(outputs, targets.to("cuda:0"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.state_dict()

# %% outputs_brought_back
# finding: brought-to-the-cpu
import torch
from torch import nn


def fix_parallel(model, batches):
    parallel = nn.DataParallel(model, device_ids=[0, 1]).to("cuda:0")
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs.cpu(), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return parallel.module.state_dict()
