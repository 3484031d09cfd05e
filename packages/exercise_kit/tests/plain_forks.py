"""What a fork does before its program begins: nothing. For the tests of `Launcher`."""


def ready():
    pass


def settle():
    pass
