"""`python -m trainer`: the same as `sixty-six`."""

from trainer.cli import main

main()
