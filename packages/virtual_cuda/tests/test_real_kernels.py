"""On the CUDA build, whatever has a kernel for real cards has one of ours over it, or PyTorch's own
in Python, as the operators of FSDP have.

A kernel for real cards that is reached all the same says so: a machine without a driver has none.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch

import virtual_cuda
from virtual_cuda.platform.cache import HAS_CUDA_BUILD

IN_PYTHON = tuple(str(Path(each.__file__).parent) for each in (virtual_cuda, torch))
CARD = "cuda:1"


@pytest.mark.skipif(not HAS_CUDA_BUILD, reason="the CPU build has no kernels for real cards")
@pytest.mark.parametrize(
    "key", ["CUDA", "SparseCUDA", "SparseCsrCUDA", "NestedTensorCUDA", "QuantizedCUDA"]
)
def test_every_kernel_for_real_cards_is_covered(key):
    names = torch._C._dispatch_get_registrations_for_dispatch_key(key)
    first = {  # in the order in which the dispatcher takes them
        name: re.search(rf"^{key}: registered at (.+):\d+ ::", torch._C._dispatch_dump(name), re.M)
        for name in names
    }
    assert len(first) > 10
    assert [
        name for name, found in first.items() if not (found and found[1].startswith(IN_PYTHON))
    ] == []


@pytest.mark.parametrize(
    "call",
    [
        lambda x: torch.ops.symm_mem.stream_write_value32_(x, 0, 1),
        lambda x: torch.ops.quantized.embedding_bag_byte_unpack(x),
        lambda x: torch.bmm(*[x.expand(2, 2, 2).to_sparse_csr(), x.expand(2, 2, 2)], out=x),
    ],
    ids=["of NVLink", "of quantized tables", "sparse"],
)
def test_what_only_real_cards_have_is_refused_in_words(call):
    with pytest.raises((NotImplementedError, RuntimeError)) as caught:
        call(torch.ones(2, 2, device=CARD))
    assert "driver" not in str(caught.value)
