from contextlib import ExitStack


def build_on(make, device):
    with ExitStack() as stack:
        stack.enter_context(device)
        return make()
