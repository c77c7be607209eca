// npm run pack [-- FOLDER]: makes the clone ready, then packs the packages that people install into FOLDER, by default `packed`.
// Plain JavaScript without a dependency: it runs before anything is installed.
import { resolve } from 'node:path';
import { prepareOrExit } from './prepare.mjs';
import { packFolders } from './pack-whole.mjs';
import { publishablePackages } from './publishable.mjs';

const folder = resolve(process.env.INIT_CWD ?? process.cwd(), process.argv[2] ?? 'packed');
await prepareOrExit();
const packages = publishablePackages();
const folders = packages.map((each) => each.folder);
const { version } = packages[0].manifest;
const status = packFolders(folders, folder);
if (status === 0)
  console.log(
    `Packed into ${folder}. To install the command: npm install --global ${resolve(folder, `turnwire-${version}.tgz`)}`,
  );
process.exitCode = status;
