"""The command line: one file a command, which parses, calls the library and prints."""

import signal
import sys
from importlib import import_module
from typing import NoReturn

from gradewise.cli.terminal import drop_output, prepare_streams

# Commands that take the options of other tools.
_OTHERS = {
    "trec-eval": "gradewise.cli.trec_eval",
    "ir-measures": "gradewise.cli.ir_measures",
}


def main() -> None:
    """Run the command that the arguments ask for."""
    from gradewise.cli.interrupting import Interrupted, interruptible, tell_end
    from gradewise.errors import GradewiseError
    from gradewise.temporary import together

    prepare_streams()
    try:
        with interruptible(), together():
            try:
                _run()
            except SystemExit as ended:  # which is no failure: files that were written are whole
                code = ended.code
            else:
                code = 0
            sys.stdout.flush()
        sys.exit(code)
    except GradewiseError as error:
        _fail(str(error))
    except Interrupted as signaled:
        sys.exit(tell_end(signaled.number))
    except KeyboardInterrupt:  # before anybody listens
        sys.exit(tell_end(signal.SIGINT))
    except BrokenPipeError:  # the reader of our output has seen enough
        drop_output()
        sys.exit(0)
    except OSError as error:
        drop_output()
        place = error.filename if error.filename is not None else "standard output"
        _fail(f"{place}: {(error.strerror or str(error)).lower()}")
    except MemoryError:
        _fail("not enough memory for this command")


def _fail(message: str) -> NoReturn:
    from gradewise.inert import printable

    inert = "\n".join(map(printable, message.split("\n")))
    print(f"gradewise: {inert}", file=sys.stderr)
    sys.exit(1)


def _run() -> None:
    if len(sys.argv) > 1 and sys.argv[1] in _OTHERS:  # which read their options, not ours
        command = import_module(_OTHERS[sys.argv[1]])
        sys.exit(command.run(sys.argv[2:]))
    from gradewise.cli.app import app

    app()
