"""Identity, sharing and storages."""

from __future__ import annotations

import copy
import io
import pickle

import torch

from ..registry import Devices, Facts, places, program, refused

VIEWS = "docs: tensor views"


@program(
    {"data_ptr": True, "offset": 4, "base": True, "values": [[0.0, 0.0], [9.0, 9.0]]}, source=VIEWS
)
def views_share(devices: Devices) -> Facts:
    """A view on the card shares the card's memory."""
    x = torch.zeros(2, 2, device=devices[0])
    row = x[1]
    row += 9
    same = x.untyped_storage().data_ptr() == row.untyped_storage().data_ptr()
    return {
        "data_ptr": same,
        "offset": row.storage_offset() * 2,
        "base": row._base is x,
        "values": x.tolist(),
    }


@program(
    {"clone": False, "detach": True, "contiguous": True, "reshape": True, "to": False}, source=VIEWS
)
def what_shares_memory(devices: Devices) -> Facts:
    """Which operations copy."""
    x = torch.zeros(4, device=devices[0])
    made = {
        "clone": x.clone(),
        "detach": x.detach(),
        "contiguous": x.contiguous(),
        "reshape": x.reshape(2, 2),
        "to": x.to("cpu"),
    }
    return {name: y.data_ptr() == x.data_ptr() for name, y in made.items()}


@program({"device": "cuda:0", "bytes": 16, "is_cuda": True}, source="docs: UntypedStorage")
def storage_of_a_card(devices: Devices) -> Facts:
    """The storage knows its device and size."""
    storage = torch.zeros(4, device=devices[0]).untyped_storage()
    return {"device": storage.device, "bytes": storage.nbytes(), "is_cuda": storage.is_cuda}


@program({"there": "cuda:0", "back": "cpu", "bytes": [1, 2, 3, 4]}, source="torch/storage.py")
def storages_move(devices: Devices) -> Facts:
    """Storages can be moved by themselves."""
    host = torch.tensor([1, 2, 3, 4], dtype=torch.uint8).untyped_storage()
    there = host.cuda()
    back = there.cpu()
    return {"there": there.device, "back": back.device, "bytes": back.tolist()}


@program(
    {"allocated": [4096, 0, 4096], "size": [4096, 0, 4096]},
    process="memory",
    source="UntypedStorage.resize_ docs; FSDP frees parameters so",
)
def emptying_a_storage(devices: Devices) -> Facts:
    """Resizing a storage to nothing frees the card's memory, the tensor stays."""
    before = torch.cuda.memory_allocated(devices[0])
    x = torch.zeros(1024, device=devices[0])
    allocated, size = [], []
    for nbytes in (None, 0, 4096):
        if nbytes is not None:
            x.untyped_storage().resize_(nbytes)
        allocated.append(torch.cuda.memory_allocated(devices[0]) - before)
        size.append(x.untyped_storage().nbytes())
    return {"allocated": allocated, "size": size}


@program(
    {"device": ["cpu", "cuda:0"], "same_object": True, "values": [1.0, 1.0]},
    source="torch.Tensor.data; Module.to relies on it",
)
def data_can_change_device(devices: Devices) -> Facts:
    """Assigning ``.data`` moves a tensor object to another device."""
    x = torch.zeros(2, requires_grad=True)
    before, same = x.device, x
    x.data = torch.ones(2, device=devices[0])
    return {"device": [before, x.device], "same_object": same is x, "values": x.tolist()}


@program(
    {"copy": ["cuda:0", True, False], "pickle": ["cuda:0", True, False]},
    source="torch/_tensor.py __deepcopy__, __reduce_ex__",
)
def copies_stay(devices: Devices) -> Facts:
    """deepcopy and pickle keep device and values, not the memory."""
    x = torch.arange(3.0, device=devices[0])
    twins = {"copy": copy.deepcopy(x), "pickle": pickle.loads(pickle.dumps(x))}
    return {
        name: [y.device, torch.equal(x, y), x.data_ptr() == y.data_ptr()]
        for name, y in twins.items()
    }


@program({"shared": True, "device": "cuda:0"}, source="torch/_tensor.py __deepcopy__ memo")
def deepcopy_keeps_sharing(devices: Devices) -> Facts:
    """Views that share memory share it in the copy, too."""
    x = torch.zeros(4, device=devices[0])
    twin, part = copy.deepcopy([x, x[:2]])
    part.fill_(3)
    return {"shared": twin[0].item() == 3.0, "device": part.device}


@program({"equal": True, "rows": [[0.0, 2.0, 4.0], [1.0, 3.0, 5.0]]}, source="docs: Tensor.set_")
def set_and_resize(devices: Devices) -> Facts:
    """``set_`` and ``resize_`` rearrange memory on the card."""
    x = torch.arange(6.0, device=devices[0])
    y = torch.empty(0, device=devices[0]).set_(x.untyped_storage(), 0, (2, 3), (1, 2))
    x.resize_(3, 2)
    return {"equal": torch.equal(x.t(), y), "rows": y.tolist()}


@program({"values": [0.0, 1.0], "shape": [4], "allocated": True}, source="docs: Tensor.resize_")
def growing(devices: Devices) -> Facts:
    """``resize_`` to a larger size keeps what was there."""
    x = torch.arange(2.0, device=devices[0]).resize_(4)
    return {
        "values": x[:2].tolist(),
        "shape": x.shape,
        "allocated": x.untyped_storage().nbytes() >= 16,
    }


@program({"devices": ["cuda:0", "cpu"], "identities": [True, True]}, source="torch/utils swap")
def swapping(devices: Devices) -> Facts:
    """``swap_tensors`` exchanges what two names hold."""
    one, two = torch.ones(1), torch.zeros(1, device=devices[0])
    names = one, two
    torch.utils.swap_tensors(one, two)
    return {"devices": places(one, two), "identities": [names[0] is one, names[1] is two]}


@program({"device": [2, 0]}, source="DLPack: kDLCUDA = 2")
def dlpack_device(devices: Devices) -> Facts:
    """DLPack calls a card type 2."""
    kind, index = torch.ones(1, device=devices[0]).__dlpack_device__()
    return {"device": [int(kind), index]}


@program({"device": "cuda:0", "shared": True}, source="torch.from_dlpack docs")
def dlpack_shares(devices: Devices) -> Facts:
    """A tensor that went through DLPack is the same memory."""
    x = torch.arange(3.0, device=devices[0])
    y = torch.from_dlpack(x)
    return {"device": y.device, "shared": y.data_ptr() == x.data_ptr()}


@program(
    {"shape": [2, 3], "typestr": "<f4", "strides": None, "version": 2, "pointer": True},
    source="torch/_tensor.py __cuda_array_interface__",
)
def cuda_array_interface(devices: Devices) -> Facts:
    """Other libraries find the memory by ``__cuda_array_interface__``."""
    x = torch.ones(2, 3, device=devices[0])
    interface = x.__cuda_array_interface__
    return {
        "shape": interface["shape"],
        "typestr": interface["typestr"],
        "strides": interface["strides"],
        "version": interface["version"],
        "pointer": interface["data"][0] == x.data_ptr(),
    }


@refused(
    "Can't get __cuda_array_interface__ on non-CUDA tensor type: torch.FloatTensor If CUDA data is "
    "required use tensor.cuda() to copy tensor to device memory.",
    kind="AttributeError",
    source="torch/_tensor.py",
)
def no_array_interface_on_the_cpu(devices: Devices) -> None:
    """A CPU tensor has no such interface, and says how to get one."""
    _ = torch.ones(1, device=devices[0]).cpu().__cuda_array_interface__


@program({"distinct": 2}, source="docs: Tensor hash is its identity")
def tensors_as_keys(devices: Devices) -> Facts:
    """Tensors are hashed by identity, on a card as well."""
    x = torch.ones(1, device=devices[0])
    return {"distinct": len({x, x.clone(), x})}


@program({"device": "cuda:0", "equal": True}, source="torch/storage.py; io")
def pickled_in_a_structure(devices: Devices) -> Facts:
    """Tensors inside structures survive a pickle on their card."""
    stream = io.BytesIO()
    x = torch.arange(4, device=devices[0])
    pickle.dump({"x": [x]}, stream)
    stream.seek(0)
    y = pickle.load(stream)["x"][0]
    return {"device": y.device, "equal": torch.equal(x, y)}
