// Loads the chunks of a bundle, which are CommonJS files in one folder, with the code that V8 compiled at their first load. That saves a third
// of a start. Node has such a cache only from 22.1.
const { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');
const { crc32 } = require('node:zlib');

// V8 rejects code that it compiled with other options. The few programs that start with options do not use the cache. Node 22.0 has no `crc32`.
const usesCache = process.execArgv.length === 0 && !process.env.NODE_OPTIONS && crc32 !== undefined;

/** The bytes before compiled code: the checksums of its source and of itself. */
const headerLength = 8;

/** Returns a function that loads a chunk of a folder by its name and returns its exports. */
module.exports = function chunksOf(folder) {
  const outside = createRequire(path.join(folder, 'chunk.js'));
  const modules = new Map();
  return function load(name) {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const filename = path.join(folder, name);
    const find = (id) => (id.startsWith('./') ? load(id.slice(2)) : outside(id));
    find.url = pathToFileURL(filename).href;
    // This `import` resolves packages outside of the bundle from this file; one in a script would resolve them from the working directory.
    find.import = async (id) => (id.startsWith('./') ? load(id.slice(2)) : import(id));
    try {
      compile(filename).runInThisContext()(module.exports, find, module);
    } catch (error) {
      // The next caller must not get half of a module. The cause may be gone by then, such as too many open files.
      modules.delete(name);
      throw error;
    }
    return module.exports;
  };
};

function compile(filename) {
  const source = readFileSync(filename);
  const code = `(function (exports, require, module) { 'use strict'; ${source.toString()}\n})`;
  if (!usesCache) return new Script(code, { filename });
  // In the name, because two versions of Node may run the same program.
  const compiled = `${filename}.${process.version}.compiled`;
  const checksum = crc32(source);
  const cachedData = storedCode(compiled, checksum);
  if (cachedData === undefined) return compileAndStore({ code, filename, compiled, checksum });
  const script = new Script(code, { filename, cachedData });
  return script.cachedDataRejected ? compileAndStore({ code, filename, compiled, checksum }) : script;
}

/** The compiled code of a source. V8 compares only the lengths of sources, and crashes on damaged code. */
function storedCode(compiled, checksum) {
  try {
    const stored = readFileSync(compiled);
    const code = stored.subarray(headerLength);
    const isRight = stored.readUInt32LE(0) === checksum && stored.readUInt32LE(4) === crc32(code);
    return isRight ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Compiles every function, also those that this run does not call: other runs will. If nothing can be stored, it compiles as Node does. */
function compileAndStore({ code, filename, compiled, checksum }) {
  const draft = `${compiled}.${process.pid}`;
  const file = opened(draft);
  if (file === undefined) return new Script(code, { filename });
  setFlagsFromString('--no-lazy');
  const script = new Script(code, { filename });
  setFlagsFromString('--lazy');
  const data = script.createCachedData();
  const header = Buffer.alloc(headerLength);
  header.writeUInt32LE(checksum, 0);
  header.writeUInt32LE(crc32(data), 4);
  try {
    store(file, Buffer.concat([header, data]));
    renameSync(draft, compiled);
  } catch {
    // The disk may be full, or the folder gone. The next start compiles again.
    rmSync(draft, { force: true });
  }
  return script;
}

/** Undefined if the folder is read-only. Other users may read what is stored, and never change it, whatever the umask is. */
function opened(draft) {
  try {
    return openSync(draft, 'w', 0o644);
  } catch {
    return undefined;
  }
}

function store(file, bytes) {
  try {
    writeFileSync(file, bytes);
  } finally {
    closeSync(file);
  }
}
