#!/usr/bin/env python3
"""Writes "error": false beside each result that is a number."""

from quirk_core import Core


class FalsyError(Core):
    def success(self, result, identity):
        response = super().success(result, identity)
        return {**response, "error": False} if isinstance(result, (int, float)) else response


FalsyError().serve()
