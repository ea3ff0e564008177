// What the JavaScript drivers share: commands come in, outcomes go out. docs/testing-a-client.md has the protocol.
"use strict";
const readline = require("readline");

const url = process.env.JRPCHECK_URL;
const timeout = Number(process.env.JRPCHECK_TIMEOUT || 5000);

// The server's own error, as the library hands it over.
class Remote extends Error {
  constructor(error) {
    super(error.message);
    this.error = error;
  }
}

function unwritable(value) {
  return typeof value === "number" ? !Number.isFinite(value)
    : value !== null && typeof value === "object" && Object.values(value).some(unwritable);
}

function tell(line) {
  const odd = Object.entries(line).find(([, value]) => unwritable(value));
  process.stdout.write(JSON.stringify(odd ? { tag: line.tag, unwritable: "NaN or Infinity" } : line) + "\n");
}

function failed(error) {
  return { failed: String((error && error.message) || error) };
}

async function carryOut(client, command) {
  try {
    switch (command.do) {
      case "batch":
        return { list: await client.batch(command.list) };
      case "call": {
        const result = await client.call(command.method, command.params);
        return result === undefined ? { unwritable: "undefined" } : { result };
      }
      case "notify":
        await client.notify(command.method, command.params);
        return { result: null };
      default:
        await client[command.do]();
        return { result: null };
    }
  } catch (error) {
    return error instanceof Remote ? { error: error.error } : failed(error);
  }
}

// Drives a client: an object with functions call(method, params), notify(method, params), … for what it `can`.
function drive(client, name, version, can, more = {}) {
  tell({ driver: 1, name, version, can, ...more });
  readline.createInterface({ input: process.stdin }).on("line", async (line) => {
    const command = JSON.parse(line);
    tell({ tag: command.tag, ...(command.do === "ping" ? { result: command } : await carryOut(client, command)) });
  }).on("close", () => process.exit(0));
}

module.exports = { Remote, drive, failed, tell, timeout, url };
