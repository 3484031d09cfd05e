# finding: no-device-attribute
def forward_from_anywhere(module, x, back):
    result = module(x.to(module.device))
    return result.to(x.device) if back else result
