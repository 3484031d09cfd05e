"""What claims of the lessons say about PyTorch, run."""

import warnings

import pytest
import torch
from torch import nn

from course_utils import lab
from course_utils.checking.questions import Claim, find


def first_loss(model: nn.Module, gpus: list[torch.device]) -> float:
    """Of a model with fixed weights, on the CPU if there are no GPUs."""
    torch.manual_seed(0)
    samples = torch.randn(16, 8)
    model.to(gpus[0] if gpus else "cpu")
    shared = nn.DataParallel(model, gpus) if len(gpus) > 1 else model
    return (shared(samples.to(gpus[0] if gpus else "cpu")) - 1).square().mean().item()


def test_a_seed_gives_the_same_losses_unless_a_layer_mixes_samples():
    gpus = list(lab(gpus=4))
    torch.manual_seed(1)  # for some weights the two losses are nearly the same
    linear, norm = nn.Linear(8, 1), nn.BatchNorm1d(8)
    plain, mixing = nn.Sequential(linear), nn.Sequential(norm, linear, nn.ReLU())
    alone, four = first_loss(plain, gpus[:1]), first_loss(plain, gpus)
    assert (alone, four) == pytest.approx((first_loss(plain, []),) * 2)
    alone, four = first_loss(mixing, gpus[:1]), first_loss(mixing, gpus)
    assert alone == pytest.approx(first_loss(mixing, []))
    assert four != pytest.approx(alone, rel=1e-3)
    assert "no layer mixes samples" in find(Claim, "13.claim.seed").verdict


def test_data_parallel_is_not_deprecated():
    gpus = list(lab(gpus=4))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        nn.DataParallel(nn.Linear(3, 1).to(gpus[0]), gpus)(torch.ones(8, 3))
    assert caught == []
    assert "deprecated" not in (nn.DataParallel.__doc__ or "").lower()
