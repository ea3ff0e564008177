#!/usr/bin/env python3
"""A server that reads everything and answers nothing. With words on the command line it writes them first."""

import sys

if len(sys.argv) > 1:
    print(" ".join(sys.argv[1:]), flush=True)
sys.stdin.buffer.read()
