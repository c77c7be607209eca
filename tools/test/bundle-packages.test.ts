import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../run.mjs';

const run = promisify(execFile);

test('the build of a command reads nothing that it wrote, and the command runs', async () => {
  const clone = await mkdtemp(join(tmpdir(), 'turnwire-clone-'));
  onTestFinished(() => rm(clone, { recursive: true, force: true, maxRetries: 5 }));
  const [folder, late] = [join(clone, 'command'), ['late-a.ts', 'late-b.ts']];
  await Promise.all(['bin', 'src'].map((each) => mkdir(join(folder, each), { recursive: true })));
  const files = {
    [join(clone, 'tsconfig.json')]: '{ "references": [{ "path": "command" }] }',
    [join(clone, 'LICENSE')]: '',
    [join(clone, 'package-lock.json')]: '{ "packages": {} }',
    [join(folder, 'package.json')]:
      '{ "name": "command", "version": "1.0.0", "type": "module", "turnwire": { "bundled": true } }',
    [join(folder, 'bin/load-compiled.js')]: await readFile(join(root, 'apps/cli/bin/load-compiled.js'), 'utf8'),
    [join(folder, 'bin/package.json')]: '{ "type": "commonjs" }',
    [join(folder, 'src/main.ts')]:
      `export const words = async () => [${late.map((name) => `(await import('./${name}')).word`).join()}];`,
    ...Object.fromEntries(late.map((name) => [join(folder, 'src', name), `export const word: string = '${name}';`])),
  };
  await Promise.all(Object.entries(files).map(([path, text]) => writeFile(path, text)));
  // Another build may be writing the same files.
  await writeFile(
    join(clone, 'no-reading.cjs'),
    `const fs = require('node:fs');
    const { readFileSync } = fs;
    fs.readFileSync = (path, ...more) => {
      if (String(path).includes('/dist/') && !String(path).includes('node_modules')) throw new Error('read ' + path);
      return readFileSync(path, ...more);
    };
    require('node:module').syncBuiltinESMExports();`,
  );
  const build = ['--require', join(clone, 'no-reading.cjs'), join(root, 'tools/bundle-packages.mjs'), clone];
  await run(process.execPath, build);
  const program = `
    const load = require(process.argv[1] + '/bin/load-compiled.js')(process.argv[1] + '/dist');
    load('main.js').words().then((words) => console.log(words.join()));`;
  const { stdout } = await run(process.execPath, ['-e', program, folder]);
  expect(stdout).toBe(`${late.join()}\n`);
});
