# %% all_results
# finding: other-keys
import torch


def fix_flags(steps, batch, device):
    moved = batch.to(device)
    scaled = moved * 2
    return {"move": moved, "scale": scaled, "total": scaled.sum().item()}

# %% bare_cuda
# finding: other-device
import torch


def fix_flags(steps, batch, device):
    moved = batch.to("cuda")
    scaled = moved * 2
    results = {}
    if "move" in steps:
        results["move"] = moved
    if "scale" in steps:
        results["scale"] = scaled
    if "total" in steps:
        results["total"] = scaled.sum().item()
    return results

# %% copy_true
# finding: copied-too-often
def fix_flags(steps, batch, device):
    moved = batch.to(device, copy=True)
    scaled = moved * 2
    results = {"move": moved, "scale": scaled, "total": scaled.sum().item()}
    return {step: results[step] for step in steps}

# %% current_device_left
# finding: current-device-changed
import torch


def fix_flags(steps, batch, device):
    torch.cuda.set_device(device)
    moved = batch.to("cuda")
    scaled = moved * 2
    results = {}
    if "move" in steps:
        results["move"] = moved
    if "scale" in steps:
        results["scale"] = scaled
    if "total" in steps:
        results["total"] = scaled.sum().item()
    return results

# %% first_gpu
# finding: other-device
import torch


def fix_flags(steps, batch, device):
    moved = batch.to("cuda:0")
    scaled = moved * 2
    results = {}
    if "move" in steps:
        results["move"] = moved
    if "scale" in steps:
        results["scale"] = scaled
    if "total" in steps:
        results["total"] = scaled.sum().item()
    return results

# %% in_place_on_a_copy
# finding: scaled-in-place
import torch


def fix_flags(steps, batch, device):
    moved = batch.to(device, copy=True)
    scaled = moved.mul_(2)
    results = {}
    if "move" in steps:
        results["move"] = moved
    if "scale" in steps:
        results["scale"] = scaled
    if "total" in steps:
        results["total"] = scaled.sum().item()
    return results

# %% names_at_the_top
# outcome: raised
import torch


def fix_flags(steps, batch, device):
    results = {}
    moved = scaled = None
    if "move" in steps:
        moved = batch.to(device)
        results["move"] = moved
    if "scale" in steps:
        scaled = moved * 2
        results["scale"] = scaled
    if "total" in steps:
        results["total"] = scaled.sum().item()
    return results

# %% needed_blocks_reported
# finding: other-keys
import torch


def fix_flags(steps, batch, device):
    results = {}
    if steps:
        results["move"] = batch.to(device)
    if "scale" in steps or "total" in steps:
        results["scale"] = results["move"] * 2
    if "total" in steps:
        results["total"] = results["scale"].sum().item()
    return results

# %% nothing_back
# finding: nothing-returned
import torch


def fix_flags(steps, batch, device):
    moved = batch.to(device)
    scaled = moved * 2
    results = {}
    if "move" in steps:
        results["move"] = moved
    if "scale" in steps:
        results["scale"] = scaled
    if "total" in steps:
        results["total"] = scaled.sum().item()
    print(results)

# %% results_looked_up
# finding: block-not-run
import torch


def fix_flags(steps, batch, device):
    results = {}
    if "move" in steps:
        results["move"] = batch.to(device)
    if "scale" in steps:
        results["scale"] = results["move"] * 2
    if "total" in steps:
        results["total"] = results["scale"].sum().item()
    return results

# %% scaled_after_a_copy
# finding: batch-changed
def fix_flags(steps, batch, device):
    results = {}
    moved = batch.to(device)
    if "move" in steps:
        results["move"] = moved.clone()
    scaled = moved.mul_(2)
    if "scale" in steps:
        results["scale"] = scaled
    if "total" in steps:
        results["total"] = scaled.sum().item()
    return results

# %% scaled_on_the_cpu
# finding: copied-too-often
import torch


def fix_flags(steps, batch, device):
    results = {}
    if "move" in steps:
        results["move"] = batch.to(device)
    if "scale" in steps:
        results["scale"] = (batch * 2).to(device)
    if "total" in steps:
        results["total"] = (batch * 2).sum().item()
    return results

# %% through_the_cpu
# finding: copied-too-often
import torch


def fix_flags(steps, batch, device):
    moved = batch.cpu().to(device)
    scaled = moved * 2
    results = {}
    if "move" in steps:
        results["move"] = moved
    if "scale" in steps:
        results["scale"] = scaled
    if "total" in steps:
        results["total"] = scaled.sum().item()
    return results

# %% total_as_a_tensor
# finding: total-is-no-number
import torch


def fix_flags(steps, batch, device):
    moved = batch.to(device)
    scaled = moved * 2
    results = {}
    if "move" in steps:
        results["move"] = moved
    if "scale" in steps:
        results["scale"] = scaled
    if "total" in steps:
        results["total"] = scaled.sum()
    return results

# %% total_as_a_whole_number
# finding: other-values
import torch


def fix_flags(steps, batch, device):
    moved = batch.to(device)
    scaled = moved * 2
    results = {}
    if "move" in steps:
        results["move"] = moved
    if "scale" in steps:
        results["scale"] = scaled
    if "total" in steps:
        results["total"] = int(scaled.sum())
    return results

# %% total_by_cpu
# finding: tensor-brought-back
def fix_flags(steps, batch, device):
    moved = batch.to(device)
    scaled = moved * 2
    results = {"move": moved, "scale": scaled}
    if "total" in steps:
        results["total"] = sum(scaled.tolist())
    return {step: results[step] for step in steps}

# %% total_of_the_batch
# finding: other-values
import torch


def fix_flags(steps, batch, device):
    moved = batch.to(device)
    scaled = moved * 2
    results = {}
    if "move" in steps:
        results["move"] = moved
    if "scale" in steps:
        results["scale"] = scaled
    if "total" in steps:
        results["total"] = moved.sum().item()
    return results

# %% total_rounded
# finding: other-values
import torch


def fix_flags(steps, batch, device):
    moved = batch.to(device)
    scaled = moved * 2
    results = {}
    if "move" in steps:
        results["move"] = moved
    if "scale" in steps:
        results["scale"] = scaled
    if "total" in steps:
        results["total"] = round(scaled.sum().item())
    return results

# %% values_only
# finding: other-form
import torch


def fix_flags(steps, batch, device):
    moved = batch.to(device)
    scaled = moved * 2
    every = {"move": moved, "scale": scaled, "total": scaled.sum().item()}
    return [every[step] for step in steps]
