"""A concurrent server may answer the fence before a call that was sent ahead of it: no answer of it is missing."""

import sys

# Answers everything at once, but calls whose id ends in `-b`: those behind the next fence.
SERVER = """
import json, sys
held = []
for line in sys.stdin:
    try:
        call = json.loads(line)
    except ValueError:
        call = {}
    call = call if isinstance(call, dict) else {}
    id = call.get('id')
    code = -32600 if isinstance(call.get('params'), str) or not call else -32601
    if id is None and code != -32600:
        continue
    answer = json.dumps({'jsonrpc': '2.0', 'error': {'code': code, 'message': 'x'}, 'id': id}) + '\\n'
    if str(id).endswith('-b'):
        held.append(answer)
    else:
        sys.stdout.write(answer)
    if 'fence' in str(id):
        sys.stdout.write(''.join(held))
        held = []
    sys.stdout.flush()
"""


def test_a_call_that_the_fence_overtakes_is_answered(run):
    done = run("--only", "concurrency/invalid-in-flight", "--repeat", "2", "--", sys.executable, "-c", SERVER)
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout
