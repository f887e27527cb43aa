"""`python -m gradewise` is `gradewise`."""

from gradewise.cli import main

if __name__ == "__main__":
    main()
