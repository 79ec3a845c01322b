"""`python -m conformance.command`: the command, where its script is not installed."""

from conformance.command.app import main

if __name__ == "__main__":
    main()
