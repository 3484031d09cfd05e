# finding: no-parameter-to-ask
def forward_from_anywhere(module, x, back):
    result = module(x.to(next(module.parameters()).device))
    return result.to(x.device) if back else result
