# finding: buffers-missed
def forward_from_anywhere(module, x, back):
    device = next(module.parameters(), x).device
    result = module(x.to(device))
    return result.to(x.device) if back else result
