import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installOnce } from '../real-agents/install.ts';
import { root } from '../run.mjs';

/** The SDK that a program runs on: its own, or ours under the name of the official one. */
export type Side = 'official' | 'turnwire';

const run = promisify(execFile);
const sdk = '@agentclientprotocol/sdk';
/** What replaces the SDK, with the packages that it depends on. */
const replaced = {
  [sdk]: 'sdk-compat',
  '@turnwire/protocol': 'protocol',
  '@turnwire/transports': 'transports',
} as const;
const packed = join(tmpdir(), 'real-agents', 'packed');

/** Packs our packages as a user installs them. Needs a build. */
export async function packSdk(): Promise<void> {
  await rm(packed, { recursive: true, force: true });
  await mkdir(packed, { recursive: true });
  const folders = Object.values(replaced).map((name) => join(root, 'packages', name));
  await run('npm', ['pack', '--silent', '--pack-destination', packed, ...folders], { cwd: root });
}

/** Our packages as direct dependencies, in the place of the official SDK. */
export function ourPackages(): readonly string[] {
  return Object.entries(replaced).map(([each, file]) => `${each}@file:${tarball(file)}`);
}

/** Installs packages once for each side, with ours from the last {@link packSdk}. @returns their `node_modules` */
export async function installFor(side: Side, name: string, packages: readonly string[]): Promise<string> {
  if (side === 'official') return installOnce(name, packages);
  // A direct dependency needs no override, and npm refuses one.
  const others = Object.entries(replaced).filter(([each]) => !packages.some((spec) => spec.startsWith(`${each}@`)));
  const overrides = Object.fromEntries(others.map(([each, file]) => [each, `file:${tarball(file)}`]));
  const modules = await installOnce(`${name}-on-turnwire`, packages, { overrides });
  for (const [each, file] of Object.entries(replaced)) await refresh(join(modules, each), tarball(file));
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

/** npm keeps what is installed: the content is replaced by that of the new tarball. */
async function refresh(folder: string, file: string): Promise<void> {
  if (!existsSync(folder)) throw new Error(`npm did not put our package into ${folder}`);
  const next = `${folder}.next`;
  await rm(next, { recursive: true, force: true });
  await mkdir(next);
  await run('tar', ['-xzf', file, '-C', next, '--strip-components', '1']);
  await rm(folder, { recursive: true });
  await rename(next, folder);
}

function tarball(name: string): string {
  return join(packed, `turnwire-${name}-0.1.0.tgz`);
}
