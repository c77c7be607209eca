// npm run pack [-- FOLDER]: makes the clone ready, then packs the packages that people install into FOLDER, by default `packed`.
// Plain JavaScript without a dependency: it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { prepareOrExit } from './prepare.mjs';
import { publishablePackages } from './publishable.mjs';
import { root } from './run.mjs';

const folder = resolve(process.env.INIT_CWD ?? process.cwd(), process.argv[2] ?? 'packed');
await prepareOrExit();
mkdirSync(folder, { recursive: true });
const packages = publishablePackages();
const folders = packages.map((each) => each.folder);
const { version } = packages[0].manifest;
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const args = ['pack', '--silent', '--pack-destination', folder, ...folders];
const { status } = spawnSync(npm, args, {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
  shell: npm.endsWith('.cmd'),
});
if (status === 0)
  console.log(
    `Packed into ${folder}. To install the command: npm install --global ${resolve(folder, `turnwire-${version}.tgz`)}`,
  );
process.exitCode = status ?? 1;
