import torch


def shares_storage(a, b):
    return torch._C._is_alias_of(a, b)
