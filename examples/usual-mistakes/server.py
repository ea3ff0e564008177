import json, sys

def subtract(a, b): return a - b

for line in sys.stdin:
    request = json.loads(line)
    try:
        result = globals()[request["method"]](*request["params"])
        print(json.dumps({"id": request["id"], "result": result}), flush=True)
    except Exception as error:
        print(json.dumps({"id": request["id"], "error": str(error)}), flush=True)
