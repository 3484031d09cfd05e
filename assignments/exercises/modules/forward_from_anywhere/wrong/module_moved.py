# finding: module-moved
def forward_from_anywhere(module, x, back):
    return module.to(x.device)(x)
