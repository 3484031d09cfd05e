# finding: input-elsewhere
def forward_from_anywhere(module, x, back):
    x.to(next(module.parameters()).device)
    result = module(x)
    return result.to(x.device) if back else result
