import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds the clone. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The commands of the toolchain, as files Node can run: no shell, no npx, the same on every platform. */
export const tool = {
  knip: 'node_modules/knip/bin/knip.js',
  oxfmt: 'node_modules/oxfmt/bin/oxfmt',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  tsc: 'node_modules/typescript/bin/tsc',
  typedoc: 'docs/node_modules/typedoc/bin/typedoc',
  vitest: 'node_modules/vitest/vitest.mjs',
};

/**
 * Runs Node in the clone with this terminal; resolves with the exit code.
 * @param {readonly string[]} parameters
 * @returns {Promise<number>}
 */
export function runNode(parameters) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, parameters, { cwd: root, stdio: 'inherit' });
    // A terminal's Ctrl-C reaches the child as well: it decides how to end, we report how it ended.
    process.on('SIGINT', () => {});
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? signalExit(signal)));
  });
}

/** Runs Node in the clone; resolves with the exit code and the output. */
export function captureNode(parameters) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, parameters, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (text) => (output += text);
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code: code ?? signalExit(signal), output }));
  });
}

const signalExit = (signal) => (signal === 'SIGINT' ? 130 : 143);
