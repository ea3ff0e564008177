// Adapter for the types json and jsonb of PostgreSQL, which PGlite runs in this process: node adapter.mjs json|jsonb
//
// The text is a parameter of SELECT $1::json::text, in the messages of PostgreSQL's protocol, so that its bytes reach the server as
// they are.
import { PGlite } from "@electric-sql/pglite";

const type = process.argv[2];
if (type !== "json" && type !== "jsonb") {
  console.error("adapter: name json or jsonb");
  process.exit(2);
}
const database = await PGlite.create();
const version = (await database.query("SHOW server_version")).rows[0].server_version;

function send(first, body) {
  const frame = Buffer.alloc(5 + body.length);
  frame.writeUInt32BE(1 + body.length);
  frame.write(first, 4, "latin1");
  body.copy(frame, 5);
  process.stdout.write(frame);
}

function message(letter, ...parts) {
  const body = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part + "\0") : part)));
  const head = Buffer.alloc(5);
  head.write(letter, 0, "latin1");
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

const int16 = (number) => Buffer.from([number >> 8, number & 0xff]);

function int32(number) {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(number);
  return bytes;
}

const prepared = message("P", "", `SELECT $1::${type}::text`, int16(0));
const rest = Buffer.concat([message("E", "", int32(0)), message("S")]);

/** The messages of a response: [letter, body]. */
function* messages(bytes) {
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    yield [String.fromCharCode(bytes[at]), bytes.subarray(at + 5, at + 1 + bytes.readInt32BE(at + 1))];
  }
}

/** The field M of an error. */
function reason(body) {
  for (let at = 0; body[at] !== 0; ) {
    const end = body.indexOf(0, at + 1);
    if (body[at] === 0x4d) return body.subarray(at + 1, Math.min(end, at + 1000));
    at = end + 1;
  }
  return Buffer.from("refused");
}

async function answer(text) {
  const bound = message("B", "", "", int16(0), int16(1), int32(text.length), text, int16(0));
  const response = Buffer.from(await database.execProtocolRaw(Buffer.concat([prepared, bound, rest])));
  for (const [letter, body] of messages(response)) {
    if (letter === "E") return send("R", reason(body));
    if (letter === "D") return send("A", body.subarray(6));
  }
  return send("R", Buffer.from("neither a row nor an error"));
}

send("I", Buffer.from(JSON.stringify({ name: `PostgreSQL ${type}`, version, language: "SQL" })));
let held = Buffer.alloc(0), chunks = [], size = 0;
for await (const chunk of process.stdin) {
  chunks.push(chunk);
  size += chunk.length;
  if (held.length >= 4 && held.length + size < 4 + held.readUInt32BE(0)) continue;
  held = Buffer.concat([held, ...chunks]);
  chunks = [];
  size = 0;
  while (held.length >= 4 && held.length >= 4 + held.readUInt32BE(0)) {
    const end = 4 + held.readUInt32BE(0);
    await answer(held.subarray(4, end));
    held = held.subarray(end);
  }
}
process.exit(0);
