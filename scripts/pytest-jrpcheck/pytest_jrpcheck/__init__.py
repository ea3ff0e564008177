"""JSON-RPC conformance cases as pytest items, judged by jrpcheck."""
