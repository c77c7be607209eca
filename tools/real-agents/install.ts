import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { packagesOf, type RealAgent } from './agents.ts';

/** The folder where agents are installed and kept for the next run. */
const installs = join(tmpdir(), 'real-agents', 'install');

/** The program of an agent, ready to start. */
export interface InstalledAgent {
  readonly command: readonly [program: string, ...words: string[]];
  /** The folders of its PATH, with the right Node.js first. */
  readonly path: string;
}

/** The agent, if it is already installed in the version that {@link packagesOf} names. */
export function installedAgent(agent: RealAgent): InstalledAgent | undefined {
  const modules = join(installs, agent.name, 'node_modules');
  const isInstalled = existsSync(suitableNode()) && existsSync(join(modules, agent.program));
  return isInstalled && packagesOf(agent).every((each) => isIn(modules, each)) ? commandOf(agent, modules) : undefined;
}

/** Whether a package is in these `node_modules` in exactly this version, such as `@scope/name@1.2.3`. */
function isIn(modules: string, wanted: string): boolean {
  const at = wanted.lastIndexOf('@');
  const [name, version] = [wanted.slice(0, at), wanted.slice(at + 1)];
  const manifest = join(modules, name, 'package.json');
  if (!existsSync(manifest)) return false;
  return (
    version === 'latest' || (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version === version
  );
}

/** How to start an agent that is in these `node_modules`. */
export function commandOf({ program, parameters }: RealAgent, modules: string): InstalledAgent {
  const node = suitableNode();
  const file = join(modules, program);
  const words = program.endsWith('.js') ? [node, file] : [file];
  const path = [dirname(node), join(modules, '.bin'), process.env['PATH'] ?? ''].join(delimiter);
  return { command: [...words, ...parameters] as [string, ...string[]], path };
}

/** Installs missing packages without running install scripts. */
export async function install(agent: RealAgent): Promise<InstalledAgent> {
  await newerNode();
  if (!installedAgent(agent)) await npmInstall(agent.name, packagesOf(agent));
  const installed = installedAgent(agent);
  if (!installed) throw new Error(`${packagesOf(agent).join(' ')} does not contain ${agent.program} for this platform`);
  return installed;
}

/** The path of a Node.js that is new enough for third-party programs; it is installed if this one is not. */
export async function newerNode(): Promise<string> {
  if (!existsSync(suitableNode())) await npmInstall('node', [`${nodePackage}@22`]);
  return suitableNode();
}

/** Installs packages once, and returns their `node_modules`. `manifest`: fields of the `package.json`, such as `overrides`. */
export async function installOnce(name: string, packages: readonly string[], manifest: object = {}): Promise<string> {
  const modules = join(installs, name, 'node_modules');
  if (!existsSync(modules)) await npmInstall(name, packages, manifest);
  return modules;
}

const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** The agents need a newer Node.js than this repository. */
function suitableNode(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return process.execPath;
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(installs, 'node', 'node_modules', nodePackage, 'bin', name);
}

async function npmInstall(name: string, packages: readonly string[], manifest: object = {}): Promise<void> {
  const folder = join(installs, name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, ...manifest }));
  const options = ['--ignore-scripts', '--engine-strict=false', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', ['install', ...options, ...packages], { cwd: folder });
}
