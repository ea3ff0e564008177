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


# Refuses what is no call only behind the answers to three calls that were sent after it, fences among them.
LATE = """
import json, sys
owed = []
for line in sys.stdin:
    try:
        call = json.loads(line)
    except ValueError:
        call = []
    calls = call if isinstance(call, list) else [call]
    if not calls or not all(isinstance(one, dict) and 'method' in one for one in calls):
        error = {'jsonrpc': '2.0', 'error': {'code': -32600, 'message': 'x'}, 'id': None}
        owed.append([3, [error] if calls and isinstance(call, list) else error])
        continue
    answers = [{'jsonrpc': '2.0', 'error': {'code': -32601, 'message': 'x'}, 'id': one.get('id')} for one in calls]
    print(json.dumps(answers if isinstance(call, list) else answers[0]), flush=True)
    for late in list(owed):
        late[0] -= 1
        if late[0] == 0:
            print(json.dumps(late[1]), flush=True)
            owed.remove(late)
"""


def test_a_refusal_that_comes_behind_later_answers_belongs_to_what_it_refuses(run):
    done = run("--only", "security/next-after-nested", "--only", "security/next-after-empty-object",
               "--", sys.executable, "-c", LATE)
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout
