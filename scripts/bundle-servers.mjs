#!/usr/bin/env node
/**
 * Puts each server's modules, and those of the libraries it uses, together into a few files below its `dist/bundle`:
 * Node needs longer for finding and reading some seven hundred small modules than for everything else a start does.
 * A part of `npm run build`; nothing needs it, since servers run from `dist` as well. (decisions/0101)
 */
import { mkdir, readdir, rm, utimes } from "node:fs/promises";
import path from "node:path";
import { rolldown } from "rolldown";

const root = path.resolve(import.meta.dirname, "..");

const servers = ["identity-server", "storage-server", "graph-server"];

/** What finds its own files beside itself, or is only loaded when somebody wants it. */
const kept = [
  /\.node$/,
  "libsql",
  "@node-rs/argon2",
  "pino-pretty",
  /^quickjs-emscripten/,
  /^@jitl\//,
  "@trefoil/console",
  "@fastify/ajv-compiler",
  "@fastify/fast-json-stringify-compiler",
  "light-my-request",
];

/** A thread's file keeps its name, beside the code that names it. */
const threads = {
  name: "threads",
  transform(code, id) {
    for (const [, file] of code.matchAll(/new URL\("\.\/([\w-]+-thread\.js)", import\.meta\.url\)/g)) {
      this.emitFile({ type: "chunk", id: path.join(path.dirname(id), file), fileName: file });
    }
  },
  /** Servers do without a thread whose file is not there, only slower. */
  generateBundle(_options, files) {
    for (const { code = "" } of Object.values(files)) {
      for (const [, file] of code.matchAll(/"\.\/([\w-]+-thread\.js)"/g)) {
        if (!(file in files)) {
          throw new Error(`${file} is named, but not in the bundle`);
        }
      }
    }
  },
};

/**
 * The engine keeps the text of every module: one byte a letter while all of them are Latin-1, else two. Only texts have
 * others when comments are gone, and there an escape means the same.
 */
const oneByteLetters = {
  name: "one-byte-letters",
  generateBundle(_options, files) {
    for (const file of Object.values(files)) {
      if (file.type === "chunk") {
        file.code = file.code.replaceAll(
          /[^\u0000-\u00ff]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
        );
      }
    }
  },
};

await Promise.all(servers.map((name) => bundle(name)));

async function bundle(name) {
  const began = new Date();
  const dist = path.join(root, "servers", name, "dist");
  const target = path.join(dist, "bundle");
  await rm(target, { recursive: true, force: true });
  await mkdir(target);
  const build = await rolldown({
    input: path.join(dist, "main.js"),
    platform: "node",
    external: kept,
    plugins: [threads, oneByteLetters],
    logLevel: "warn",
  });
  await build.write({
    dir: target,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    comments: false,
  });
  await build.close();
  // As old as what it was made from: whatever is compiled from now on makes it outdated.
  for (const file of await readdir(target)) {
    await utimes(path.join(target, file), began, began);
  }
}
