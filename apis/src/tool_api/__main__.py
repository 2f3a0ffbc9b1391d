"""`python -m tool_api`."""

from tool_api.cli import main

if __name__ == "__main__":
    main()
