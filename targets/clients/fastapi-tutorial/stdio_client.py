# stdio_client.py
import subprocess, json

proc = subprocess.Popen(
    ["python", "stdio_server.py"],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
)

req = {"jsonrpc":"2.0","method":"paritosh/echo","params":{"message":"local call"},"id":777}
proc.stdin.write(json.dumps(req) + "\n")
proc.stdin.flush()

print(proc.stdout.readline().strip())
proc.terminate()
