"""Sparse tensors on cards."""

from __future__ import annotations

import copy
import gc
import pickle

import pytest
import torch
from torch import nn
from torch.nn.parallel import comm

CARD = torch.device("cuda:1")

pytestmark = pytest.mark.filterwarnings("ignore:Sparse")

LAYOUTS = {
    "coo": lambda x: x.to_sparse(),
    "csr": lambda x: x.to_sparse_csr(),
    "csc": lambda x: x.to_sparse_csc(),
    "bsr": lambda x: x.to_sparse_bsr((2, 2)),
    "bsc": lambda x: x.to_sparse_bsc((2, 2)),
}


def matrix() -> torch.Tensor:
    return torch.tensor([[0.0, 1, 0, 2], [0, 0, 3, 0], [4, 0, 0, 0], [0, 5, 0, 6]])


@pytest.mark.parametrize("convert", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_every_layout_moves_and_comes_back(convert):
    on_cpu = convert(matrix())
    for on_card in (on_cpu.to(CARD), convert(matrix().to(CARD)), on_cpu.cuda(0).to(CARD)):
        assert on_card.device == on_card.values().device == CARD
        assert on_card.layout == on_cpu.layout
        assert torch.equal(on_card.to_dense().cpu(), matrix())
        assert torch.equal(on_card.cpu().to_dense(), matrix())


def test_created_on_a_card():
    x = torch.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 2.0], (2, 2), device=CARD)
    assert x.device == x._indices().device == CARD
    assert x.to_dense().tolist() == [[0, 1], [2, 0]]
    assert torch.zeros(2, 2, layout=torch.sparse_coo, device="cuda:2").device.index == 2
    assert "device='cuda:1', size=(2, 2), nnz=2, layout=torch.sparse_coo" in repr(x)


OPERATIONS = {
    "sparse @ dense": lambda s, d: s @ d,
    "sparse.mm": lambda s, d: torch.sparse.mm(s, d),
    "sparse @ sparse": lambda s, d: (s @ s).to_dense(),
    "dense + sparse": lambda s, d: d + s,
    "sparse + sparse": lambda s, d: (s + s).to_dense(),
    "sparse * number": lambda s, d: (s * 3).to_dense(),
    "in place": lambda s, d: s.clone().mul_(2).add_(s).to_dense(),
    "dense in place": lambda s, d: d.clone().add_(s, alpha=2),
    "sum": lambda s, d: torch.sparse.sum(s),
    "softmax": lambda s, d: torch.sparse.softmax(s, 1).to_dense(),
    "transpose": lambda s, d: s.t().to_dense(),
    "cat": lambda s, d: torch.cat([s, s]).to_dense(),
    "mask": lambda s, d: d.sparse_mask(s).to_dense(),
    "zero_": lambda s, d: s.clone().zero_().to_dense(),
    "half": lambda s, d: s.half().float().to_dense(),
}


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS.keys())
def test_operation_gives_the_cpus_values(operation):
    dense = torch.randn(4, 4)
    expected = operation(matrix().to_sparse(), dense)
    result = operation(matrix().to(CARD).to_sparse(), dense.to(CARD))
    assert result.device == CARD
    assert torch.allclose(result.cpu(), expected, atol=1e-6)


def test_copies_and_pickles():
    x = matrix().to(CARD).to_sparse()
    for twin in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert twin.device == CARD and torch.equal(twin.to_dense(), x.to_dense())


def test_save_and_load(tmp_path):
    torch.save(matrix().to(CARD).to_sparse(), tmp_path / "x.pt")
    assert torch.load(tmp_path / "x.pt").device == CARD
    assert torch.load(tmp_path / "x.pt", map_location="cpu").device.type == "cpu"


def test_devices_do_not_mix():
    x = matrix().to(CARD).to_sparse()
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        torch.sparse.mm(x, matrix())


def test_gradient_of_a_sparse_matrix():
    x = matrix().to(CARD).to_sparse().requires_grad_()
    torch.sparse.mm(x, torch.ones(4, 2, device=CARD)).sum().backward()
    assert x.grad.is_sparse and x.grad.device == CARD
    assert x.grad.to_dense()[0].tolist() == [0, 2, 0, 2]


OPTIMIZERS = {
    "sgd": lambda p: torch.optim.SGD(p, lr=0.1),
    "sparse adam": lambda p: torch.optim.SparseAdam(list(p), lr=0.1),
    "adagrad": lambda p: torch.optim.Adagrad(p, lr=0.1),
}


@pytest.mark.parametrize("layer", [nn.Embedding, nn.EmbeddingBag])
@pytest.mark.parametrize("make", OPTIMIZERS.values(), ids=OPTIMIZERS.keys())
def test_embedding_with_sparse_gradients(layer, make):
    table = layer(6, 3, sparse=True)
    twin = copy.deepcopy(table).to(CARD)
    words = torch.tensor([[1, 2, 1]])
    for module, batch in ((table, words), (twin, words.to(CARD))):
        optimizer = make(module.parameters())
        for _ in range(3):
            optimizer.zero_grad()
            module(batch).pow(2).sum().backward()
            optimizer.step()
    assert twin.weight.grad.is_sparse and twin.weight.grad.device == CARD
    assert torch.allclose(table.weight, twin.weight.cpu(), atol=1e-6)


def test_among_cards():
    x = matrix().to(CARD).to_sparse()
    assert [t.get_device() for t in comm.broadcast(x, [0, 1, 2])] == [0, 1, 2]
    dense, sparse = comm.broadcast_coalesced([matrix().to(CARD), x], [1, 3])[1]
    assert (dense.get_device(), sparse.get_device()) == (3, 3) and sparse.is_sparse
    added = comm.reduce_add([x, x.to("cuda:2")], 1)
    assert torch.equal(added.to_dense(), 2 * x.to_dense())
    table = nn.Embedding(6, 3, sparse=True).cuda()
    nn.DataParallel(table, [0, 1, 2])(torch.arange(1, 6)).sum().backward()
    assert table.weight.grad.is_sparse
    assert table.weight.grad.to_dense()[:, 0].tolist() == [0, 1, 1, 1, 1, 1]


def test_memory_is_counted_and_freed():
    gc.collect()
    before = torch.cuda.memory_allocated(CARD)
    x = torch.sparse_coo_tensor(torch.zeros(1, 1000), torch.ones(1000), (5,), device=CARD)
    assert torch.cuda.memory_allocated(CARD) - before >= 8000 + 4000
    del x
    gc.collect()
    assert torch.cuda.memory_allocated(CARD) == before
