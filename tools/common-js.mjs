/** Bundled CommonJS code calls `require`, which ES modules lack. */
export const requireOfModules =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/**
 * Converts a chunk of a bundle to CommonJS, for the loader in `apps/cli/bin/load-compiled.js`. Rejects if the chunk has a top-level `await`.
 * @param {{ transform: typeof import('esbuild').transform }} esbuild
 * @param {string} text the chunk, an ES module
 * @param {import('esbuild').TransformOptions} [options]
 * @returns {Promise<string>}
 */
export async function toCommonJs({ transform }, text, options) {
  const { code } = await transform(text.replace(requireOfModules, '').replaceAll(origin, '//! $1'), {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    legalComments: 'inline',
    define: { 'import.meta.url': 'require.url' },
    logLevel: 'silent',
    ...options,
  });
  return code
    .replace(copiedExports, 'module.exports = __defProp($1, "__esModule", { value: true });')
    .replaceAll(lateImport, 'require.import($1)')
    .replaceAll('\n//! ', '\n// ');
}

/** The bundler says before each module where it is from. A conversion keeps only comments of licences. */
const origin = /^\/\/ (\S+\.[cm]?[jt]sx?)$/gm;

/** The exports are getters. Copied, each use of one would call two. */
const copiedExports = /\bmodule\.exports ?= ?__toCommonJS\((\w+)\);/;

/** The loader loads late chunks with `require.import`. */
const lateImport = /\bimport\(("[^"]+"|[\w$]+)\)/g;
