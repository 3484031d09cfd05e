# Own invention: week 3, sizes of tensors and mixed precision; numbers typed in, functions, one by hand.
# %% plain setup
import math

import torch

device = torch.device("cuda:0") if torch.cuda.is_available() else torch.device("cpu")
# %% solution numbers
# How many bytes has a float32 tensor of shape (1024, 1024)? And its gradient and Adam's state together?
bytes_of_tensor = None
bytes_of_training = None
### BEGIN SOLUTION
bytes_of_tensor = 4 * 1024**2
bytes_of_training = 3 * bytes_of_tensor
### END SOLUTION
# %% test numbers_test 2
assert bytes_of_tensor is not None, "you have not answered"
assert math.isclose(bytes_of_tensor, 4194304, rel_tol=0.01)
# %% test training_test 2
### BEGIN HIDDEN TESTS
assert math.isclose(bytes_of_training, 3 * 4194304, rel_tol=0.01), "the gradient and two averages"
### END HIDDEN TESTS
# %% solution size
def nbytes(*tensors):
    """The bytes of the distinct storages of tensors."""
    ### BEGIN SOLUTION
    return sum({t.untyped_storage().data_ptr(): t.untyped_storage().nbytes() for t in tensors}.values())
    ### END SOLUTION
# %% test size_test 4
a = torch.zeros(10, 10, device=device)
tests = {
    "one": nbytes(a) == 400,
    "half": nbytes(a.half()) == 200,
    "a view": nbytes(a, a.t(), a[0]) == 400,
    "none": nbytes() == 0,
}
for name, passed in tests.items():
    print("ok" if passed else "failed", name)
sum(tests.values())
# %% test allocated 2
if device.type == "cuda":
    before = torch.cuda.memory_allocated()
    big = torch.zeros(1024, 1024, device=device)
    assert torch.cuda.memory_allocated() - before >= nbytes(big)
    del big
else:
    assert nbytes(torch.zeros(1024, 1024)) == 4 * 1024**2
# %% solution mixed
def product(a, b):
    """a @ b in bfloat16 by autocast, on the tensors' device; the result as float32."""
    ### BEGIN SOLUTION
    with torch.autocast(a.device.type, dtype=torch.bfloat16):
        return (a @ b).float()
    ### END SOLUTION
# %% test mixed_test 3
a = torch.full((4, 4), 1 + 2**-9, device=device)
out = product(a, torch.eye(4, device=device))
assert out.dtype == torch.float32
assert not torch.equal(out, a), "it was computed in float32"
torch.testing.assert_close(out, a, rtol=0.01, atol=0.0)
# %% test mixed_grad 1
w = torch.ones(2, 2, device=device, requires_grad=True)
product(w, torch.ones(2, 2, device=device)).sum().backward()
w.grad.dtype == torch.float32
# %% manual trade 2
# Write a line of code that shows when bfloat16 overflows and float16 does not, or the reverse.

# ==== right
# %% numbers
bytes_of_tensor = torch.zeros(1024, 1024).nbytes
bytes_of_training = bytes_of_tensor + 2 * bytes_of_tensor
# %% size
def nbytes(*tensors):
    seen, total = set(), 0
    for t in tensors:
        s = t.untyped_storage()
        if s.data_ptr() not in seen:
            seen.add(s.data_ptr())
            total += s.nbytes()
    return total
# %% mixed
def product(a, b):
    with torch.autocast(device_type=a.device.type, dtype=torch.bfloat16):
        c = a @ b
    return c.to(torch.float32)
# %% trade
print(torch.tensor(70000.0).half(), torch.tensor(70000.0).bfloat16())

# ==== counts elements
# %% numbers
bytes_of_tensor = 1024 * 1024
bytes_of_training = 4 * bytes_of_tensor
# %% size
def nbytes(*tensors):
    return sum(t.numel() * t.element_size() for t in tensors)
# %% mixed
def product(a, b):
    return (a.bfloat16() @ b.bfloat16()).float()

# ==== too much
# %% numbers
bytes_of_tensor = 4.2e6
bytes_of_training = "12 MB"
# %% size
class Bytes(int):
    def __eq__(self, other):
        return 5
    __hash__ = int.__hash__
def nbytes(*tensors):
    return Bytes(1)
# %% mixed
def product(a, b):
    return a @ b

# ==== in double
# %% numbers
bytes_of_tensor = torch.tensor(4 * 1024**2)
bytes_of_training = 3 * bytes_of_tensor
# %% size
def nbytes(t, *others):
    return t.storage().nbytes()
# %% mixed
torch.set_default_dtype(torch.float64)
def product(a, b):
    return (a.double() @ b.double()).float()

# ==== untouched
