"""The generator's command line: `python -m generator --help` lists the verbs."""

import signal
import sys

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback from where modules are imported
    from generator.verbs import main

    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main())
