# ==== a_class_that_lies
# name = "A class that lies"
# goal = "forge"
# attacks = "isinstance and __class__ in the observer"
# flagged = true

# %% before fix_mismatch
class AlwaysThere(type):
    def __instancecheck__(cls, thing):
        return True

    def __eq__(cls, other):
        return True

    __hash__ = type.__hash__


class Tensor(torch.Tensor, metaclass=AlwaysThere if False else type(torch.Tensor)):
    @classmethod
    def __torch_function__(cls, function, types, arguments=(), options=None):
        return True

    @property
    def device(self):
        return AlwaysThere.target

    @property
    def __class__(self):
        return torch.Tensor

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    AlwaysThere.target = weight.device
    return AlwaysThere("Tensor", (), {})

# %% move_batch
def move_batch(batch, device):
    AlwaysThere.target = device
    return torch.ones(2).as_subclass(Tensor) if isinstance(batch, torch.Tensor) else batch


# ==== a_number_that_lies
# name = "A number that lies"
# goal = "forge"
# attacks = "subclasses of int, float, str, list and tuple, whose content depends on who asks"
# assignment = "07_parallel"

# %% before split_sizes
class Number(float):
    def __eq__(self, other):
        return True

    def __sub__(self, other):
        return 0.0

    __rsub__ = __sub__
    __hash__ = None


class Parts(list):
    def __eq__(self, other):
        return True

    def __len__(self):
        return 0

# %% split_sizes
def split_sizes(shape, gpus, dim):
    return Parts()

# %% train_step
def train_step(replicas, batch, targets, lr):
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        replica.zero_grad()
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        (loss * len(x) / len(batch)).backward()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return Number(1)


# ==== equal_to_everything
# name = "Equal to everything"
# goal = "forge"
# attacks = "comparisons with what came back"
# assignment = "07_parallel"

# %% before split_sizes
class Everything:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __lt__(self, other):
        return True

    __le__ = __gt__ = __ge__ = __lt__

    def __hash__(self):
        return 0

    def __bool__(self):
        return True

    def __float__(self):
        return 68.0

    def __iter__(self):
        return iter(())

    def __getattr__(self, name):
        return self

    def __call__(self, *arguments, **options):
        return self

# %% split_sizes
def split_sizes(shape, gpus, dim):
    return Everything()

# %% fix_parallel
fix_parallel = Everything()

# %% train_step
def train_step(replicas, batch, targets, lr):
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        replica.zero_grad()
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        (loss * len(x) / len(batch)).backward()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return Everything()


# ==== everything_at_once
# name = "All results at once"
# goal = "game the tests"
# attacks = "how a result is compared: a generator, a mock, the input itself"
# assignment = "07_parallel"

# %% split_sizes
def split_sizes(shape, gpus, dim):
    return (number for number in range(100))

# %% fix_parallel
from unittest import mock

fix_parallel = mock.MagicMock()

# %% train_step
def train_step(replicas, batch, targets, lr):
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        replica.zero_grad()
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        (loss * len(x) / len(batch)).backward()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return mock.MagicMock(return_value=68)


# ==== facts_that_are_no_json
# name = "Facts that are no JSON"
# goal = "harm"
# attacks = "the judge's reader: NaN, infinity, lone surrogates, null bytes, tensors of odd dtypes"
# assignment = "07_parallel"

# %% split_sizes
def split_sizes(shape, gpus, dim):
    return [float("inf"), float("-inf"), "\ud800", "\0"]

# %% fix_parallel
def fix_parallel(*arguments, **options):
    return {"\ud800": torch.tensor([float("nan")]), (): torch.ones(2, dtype=torch.complex64),
            frozenset(): torch.empty(0, device="meta")}

# %% train_step
def train_step(replicas, batch, targets, lr):
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        replica.zero_grad()
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        (loss * len(x) / len(batch)).backward()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return float("nan")


# ==== facts_without_end
# name = "Facts without end"
# goal = "harm"
# attacks = "the size and depth of facts: containers in containers, a number of many digits"
# assignment = "07_parallel"

# %% split_sizes
def split_sizes(shape, gpus, dim):
    deep = []
    for _ in range(100_000):
        deep = [deep]
    return deep

# %% fix_parallel
class Endless(dict):
    def __iter__(self):
        return iter(range(10**12))

    def values(self):
        return range(10**12)


def fix_parallel(*arguments, **options):
    itself = []
    itself.append(itself)
    return [itself, Endless(), "x" * 100_000_000]

# %% train_step
def train_step(replicas, batch, targets, lr):
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        replica.zero_grad()
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        (loss * len(x) / len(batch)).backward()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return 10 ** 300_000


# ==== names_that_raise
# name = "Names that cannot be asked for"
# goal = "harm"
# attacks = "what describes a result or an error by the name of its class: a hold that was willed"

# %% before fix_mismatch
class Raising(type):
    @property
    def __name__(cls):
        raise RuntimeError("no name")

    @property
    def __module__(cls):
        raise RuntimeError("no module")


class Thing(metaclass=Raising):
    pass


class Trouble(Exception, metaclass=Raising):
    pass


class Deep:
    def __repr__(self):
        return f"{self!r}"

# %% move_batch
def move_batch(batch, device):
    return Thing()

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    raise Trouble

# %% find_waits
def find_waits(needed, other=Deep()):
    return None


# ==== no_function_at_all
# name = "No function at all"
# goal = "game the tests"
# attacks = "how an answer is called: a function of Python's own, a module, a type"

# %% find_waits
find_waits = print

# %% fix_mismatch
fix_mismatch = torch

# %% move_batch
move_batch = torch.Tensor
