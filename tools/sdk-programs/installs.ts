import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installOnce } from '../real-agents/install.ts';
import { packFolders } from '../pack-whole.mjs';
import { root } from '../run.mjs';

/** The SDK that a program runs on: its own, or ours under the name of the official one. */
export type Side = 'official' | 'turnwire';

const run = promisify(execFile);
const sdk = '@agentclientprotocol/sdk';
const packed = join(tmpdir(), 'real-agents', 'packed');
const tarball = join(packed, 'turnwire-sdk-compat-0.1.0.tgz');

/** Installs our package as a direct dependency under the name of the official SDK. */
export const ourPackage: string = `${sdk}@file:${tarball}`;

/** Packs our package as a user installs it. Needs a build. */
export async function packSdk(): Promise<void> {
  await rm(packed, { recursive: true, force: true });
  const folders = ['protocol', 'transports', 'sdk-compat'].map((name) => join(root, 'packages', name));
  if (packFolders(folders, packed) !== 0) throw new Error('our package cannot be packed');
}

/** Installs packages once for each side, with ours from the last {@link packSdk}. @returns their `node_modules` */
export async function installFor(side: Side, name: string, packages: readonly string[]): Promise<string> {
  if (side === 'official') return installOnce(name, packages);
  // A direct dependency needs no override, and npm refuses one.
  const overrides = packages.includes(ourPackage) ? {} : { [sdk]: `file:${tarball}` };
  const modules = await installOnce(`${name}-on-turnwire`, packages, { overrides });
  await refresh(join(modules, sdk));
  return modules;
}

/** The version of the SDK that a program has chosen. */
export async function sdkVersion(modules: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(modules, sdk, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
  };
  return manifest.version;
}

/** Unpacks the new tarball over an installed package, which npm would keep. */
async function refresh(folder: string): Promise<void> {
  if (!existsSync(folder)) throw new Error(`npm did not put our package into ${folder}`);
  await rm(folder, { recursive: true });
  await mkdir(folder);
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components', '1']);
}
