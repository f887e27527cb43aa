"""The command line: one file a command, which parses, calls the library and prints."""

import os
import sys


def main() -> None:
    """Run the command that the arguments ask for."""
    from gradewise.errors import GradewiseError

    try:
        _run()
    except GradewiseError as error:
        print(f"gradewise: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("gradewise: interrupted", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _run() -> None:
    if len(sys.argv) > 1 and sys.argv[1] == "trec-eval":  # trec_eval's options, not ours
        from gradewise.cli.trec_eval import run

        sys.exit(run(sys.argv[2:]))
    from gradewise.cli.app import app

    app()
