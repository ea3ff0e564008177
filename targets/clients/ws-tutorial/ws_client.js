// ws_client.js
const WebSocket = require("ws");
const ws = new WebSocket("ws://127.0.0.1:8000/rpc/ws");

ws.on("open", () => {
  const msg = { jsonrpc: "2.0", method: "paritosh/echo", params: { message: "hi" }, id: 901 };
  ws.send(JSON.stringify(msg));
});

ws.on("message", (data) => {
  console.log("WS Response:", data.toString());
});
