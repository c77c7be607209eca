// The beginning of a bundled program: loads its chunks, which stand beside it as CommonJS, with what V8 compiled of them when they were
// loaded first. That is half of what a start costs. Node 20 has no such cache for modules.
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

const outside = createRequire(__filename);
const modules = new Map();
// V8 rejects what it compiled when it had other options. Programs that are started with options are few: they compile for themselves.
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
  // Here, where what is not in the bundle is looked for beside this file: scripts look for it in the working directory.
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

/** With every function, whether this run calls it or not: another one will. */
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
