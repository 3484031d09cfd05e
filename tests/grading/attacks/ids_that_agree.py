# name = "Identities that agree"
# goal = "forge"
# attacks = "`is` and `id` in observers, by names put into builtins"
# flagged = true

# %% add_on
import builtins

builtins.id = lambda thing: 0
builtins.zip = lambda *things, strict=False: iter(())
builtins.sorted = lambda things, **options: []
builtins.isinstance = lambda thing, kind: True


def add_on(a, b, where):
    return (a.cpu() + b.cpu()).to(b.device)
