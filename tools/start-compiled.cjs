// Starts a bundled program: loads its chunks, CommonJS files in the same folder, with the code that V8 compiled at their first load. That
// halves the time of a start. Node 20 has no such cache for modules.
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

const outside = createRequire(__filename);
const modules = new Map();
// V8 rejects code that it compiled with other options. The few programs that start with options do not use the cache.
const hasOptions = process.execArgv.length > 0 || Boolean(process.env.NODE_OPTIONS);

function load(name) {
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules.set(name, module);
  const filename = path.join(__dirname, name);
  const script = compile(filename);
  const find = (id) => (id.startsWith('./') ? load(id.slice(2)) : outside(id));
  find.url = pathToFileURL(filename).href;
  // This `import` resolves packages outside of the bundle from this file; one in a script would resolve them from the working directory.
  find.import = async (id) => (id.startsWith('./') ? load(id.slice(2)) : import(id));
  script.runInThisContext()(module.exports, find, module);
  return module.exports;
}

function compile(filename) {
  const code = `(function (exports, require, module) { 'use strict'; ${readFileSync(filename, 'utf8')}\n})`;
  if (hasOptions) return new Script(code, { filename });
  const cachedData = compiledBefore(filename);
  if (cachedData === undefined) return compileWhole(code, filename);
  const script = new Script(code, { filename, cachedData });
  return script.cachedDataRejected ? compileWhole(code, filename) : script;
}

function compiledBefore(filename) {
  try {
    return readFileSync(`${filename}.compiled`);
  } catch {
    return undefined;
  }
}

/** Compiles every function, also those that this run does not call: other runs will. */
function compileWhole(code, filename) {
  setFlagsFromString('--no-lazy');
  const script = new Script(code, { filename });
  setFlagsFromString('--lazy');
  try {
    const draft = `${filename}.${process.pid}`;
    writeFileSync(draft, script.createCachedData());
    renameSync(draft, `${filename}.compiled`);
  } catch {
    // The bundle may be gone, or its folder full. The next start compiles again.
  }
  return script;
}

load('program.js');
