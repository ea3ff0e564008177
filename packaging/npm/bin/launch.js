// Runs the native program out of the package for this platform, with this process's streams, signals and exit code.
"use strict";
const { spawn } = require("child_process");
const os = require("os");
const path = require("path");

// As shells tell of a program that a signal ended.
const SIGNAL_BASE = 128;
const USAGE = 2;

function refuse(sentence) {
  process.stderr.write(`jrpcheck: ${sentence}\n`);
  process.exit(USAGE);
}

// The path of a program in the package for this platform, which npm installed beside this one.
function find(name) {
  if (process.platform !== "linux") {
    refuse(`it runs on Linux, and this is ${process.platform}: use a Linux machine, a container or WSL`);
  }
  const own = `@jrpcheck/linux-${process.arch}`;
  const offered = Object.keys(require("../package.json").optionalDependencies);
  if (!offered.includes(own)) {
    refuse(`there is no program for ${process.arch} processors (${offered.join(", ")}): build it from source`);
  }
  try {
    return path.join(path.dirname(require.resolve(`${own}/package.json`)), "bin", name);
  } catch (error) {
    return refuse(`the package ${own} is missing: install again, with optional dependencies (npm install --include=optional)`);
  }
}

module.exports = function launch(name) {
  const program = find(name);
  // Signals are caught before the program starts: one that comes at once must reach it, not end this process alone.
  let child = null;
  // A terminal signals the whole group: the child decides what an interrupt means, and this process reports it.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) {
    process.on(signal, () => child.kill(signal));
  }
  child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
  child.on("error", (error) => refuse(`${program} cannot be started: ${error.code}`));
  child.on("exit", (code, signal) => {
    process.exitCode = signal === null ? code : SIGNAL_BASE + os.constants.signals[signal];
    process.removeAllListeners();
  });
};
