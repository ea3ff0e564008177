// An MCP server of the official TypeScript SDK: node server.mjs [PORT]. With a port over HTTP, else over standard input and output.
import { createServer } from "node:http";
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

function demo() {
  const server = new McpServer({ name: "demo", version: "1.0.0" });
  server.registerTool(
    "echo",
    { description: "Give a text back", inputSchema: z.object({ text: z.string() }) },
    async ({ text }) => ({ content: [{ type: "text", text }] }),
  );
  return server;
}

if (process.argv.length > 2) {
  const hostIsRight = localhostHostValidation();
  const originIsRight = localhostOriginValidation();
  const handle = toNodeHandler(createMcpHandler(demo));
  createServer((request, response) => {
    if (hostIsRight(request, response) && originIsRight(request, response)) {
      handle(request, response);
    }
  }).listen(Number(process.argv[2]), "127.0.0.1");
} else {
  serveStdio(demo);
}
