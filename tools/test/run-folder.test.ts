import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../run.mjs';

test.each([0, 1])('the folder of a run that ends with exit code %i is removed, with all files of its tests', (code) => {
  const program = `
    import { mkdirSync } from 'node:fs';
    import { tmpdir } from 'node:os';
    import { makeRunFolder } from './tools/run-folder.ts';
    makeRunFolder();
    mkdirSync(tmpdir() + '/left/behind', { recursive: true });
    console.log(JSON.stringify({ folder: tmpdir(), state: process.env.XDG_STATE_HOME }));
    process.exit(${code});`;
  const { TURNWIRE_TEST_FOLDER: own = '', ...env } = process.env;
  const words = ['--import', 'tsx', '--input-type=module', '-e', program];
  const { status, stdout } = spawnSync(process.execPath, words, { cwd: root, env, encoding: 'utf8' });
  const { folder, state } = JSON.parse(stdout) as { folder: string; state: string };
  // It is in the folder of this run, which is the folder for temporary files.
  expect({ status, parent: dirname(folder), state, own: process.env['TMPDIR'], isThere: existsSync(folder) }).toEqual({
    status: code,
    parent: own,
    // The run must not use sessions of the user.
    state: join(folder, 'user', 'state'),
    own,
    isThere: false,
  });
});
