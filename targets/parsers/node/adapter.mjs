// Adapter for the JSON parsers of Node: node adapter.mjs JSON|lossless-json|json-bigint
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const name = process.argv[2];
const library =
  name === "JSON" ? JSON
  : name === "json-bigint" ? require("json-bigint")({ useNativeBigInt: true })
  : require(name);
const version = name === "JSON" ? process.version.slice(1) : JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url))).version;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
function send(answer) {
  const body = Buffer.from(answer), head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  process.stdout.write(Buffer.concat([head, body]));
}
function answer(bytes) {
  let value;
  try {
    value = library.parse(decoder.decode(bytes));
  } catch (error) {
    return "R" + String(error.message).slice(0, 1000);
  }
  try {
    return "A" + library.stringify(value);
  } catch {
    return "a";
  }
}
send("I" + JSON.stringify({ name, version, language: "JavaScript" }));
let chunks = [], held = 0;
process.stdin.on("data", (chunk) => {
  chunks.push(chunk);
  held += chunk.length;
  if (held >= 4 && chunks[0].length < 4) chunks = [Buffer.concat(chunks)];
  if (held < 4 || held < 4 + chunks[0].readUInt32BE(0)) return;
  let input = Buffer.concat(chunks);
  while (input.length >= 4 && input.length >= 4 + input.readUInt32BE(0)) {
    const end = 4 + input.readUInt32BE(0);
    send(answer(input.subarray(4, end)));
    input = input.subarray(end);
  }
  chunks = input.length > 0 ? [input] : [];
  held = input.length;
});
