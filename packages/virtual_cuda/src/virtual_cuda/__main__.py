"""``python -m virtual_cuda``: the command line (``virtual_cuda_tool.command_line``)."""

from virtual_cuda_tool.command_line import main

if __name__ == "__main__":
    main()
