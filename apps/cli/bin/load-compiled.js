// Loads the chunks of a bundle, which are CommonJS files in one folder, with the code that V8 compiled at their first load. That saves a third
// of a start. Node has such a cache only from 22.1.
const { readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

// V8 rejects code that it compiled with other options. The few programs that start with options do not use the cache.
const hasOptions = process.execArgv.length > 0 || Boolean(process.env.NODE_OPTIONS);

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
    compile(filename).runInThisContext()(module.exports, find, module);
    return module.exports;
  };
};

function compile(filename) {
  const code = `(function (exports, require, module) { 'use strict'; ${readFileSync(filename, 'utf8')}\n})`;
  if (hasOptions) return new Script(code, { filename });
  // In the name, because two versions of Node may run the same program.
  const compiled = `${filename}.${process.version}.compiled`;
  const cachedData = newerThan(filename, compiled);
  if (cachedData === undefined) return compileWhole({ code, filename, compiled });
  const script = new Script(code, { filename, cachedData });
  return script.cachedDataRejected ? compileWhole({ code, filename, compiled }) : script;
}

/** The compiled code, unless its source was written later: V8 compares only their lengths. */
function newerThan(filename, compiled) {
  try {
    return statSync(compiled).mtimeMs >= statSync(filename).ctimeMs ? readFileSync(compiled) : undefined;
  } catch {
    return undefined;
  }
}

/** Compiles every function, also those that this run does not call: other runs will. */
function compileWhole({ code, filename, compiled }) {
  setFlagsFromString('--no-lazy');
  const script = new Script(code, { filename });
  setFlagsFromString('--lazy');
  try {
    const draft = `${compiled}.${process.pid}`;
    writeFileSync(draft, script.createCachedData());
    renameSync(draft, compiled);
  } catch {
    // The folder may be read-only, full or gone. The next start compiles again.
  }
  return script;
}
