import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { newerNode } from '../real-agents/install.ts';
import { installFor, ourPackage, sdkVersion, type Side } from './installs.ts';
import type { Program, StepResult } from './program.ts';

const tap = fileURLToPath(new URL('drivers/tap.mjs', import.meta.url));
/** The last version with the examples and the classes. */
const sdk = '@agentclientprotocol/sdk@1.9.0';
const packages = [sdk, 'zod@4.6.7'];

/**
 * The unchanged example client of the official SDK with its example agent. They import the SDK from the folder above: a module there
 * passes on the installed one.
 */
export const exampleProgram: Program = {
  name: "official SDK's examples",
  packages: [sdk],
  prepare: async (side) => {
    const examples = await examplesOn(side);
    return {
      modules: examples.modules,
      sdk: await sdkVersion(examples.modules),
      // The client can only answer the question of the agent.
      run: async (step) => {
        if (step === 'run') return turn(examples, '1\n', "I've successfully updated the configuration");
        return step === 'deny' ? turn(examples, '2\n', "I'll skip the configuration update") : undefined;
      },
      [Symbol.asyncDispose]: () => rm(examples.folder, { recursive: true, force: true }),
    };
  },
};

/** The types of that version. */
export async function newestTypesWithClasses(): Promise<string> {
  return join(await installFor('official', 'sdk-example', packages), '@agentclientprotocol/sdk/dist/acp.d.ts');
}

interface Examples {
  readonly modules: string;
  readonly folder: string;
  readonly node: string;
}

async function examplesOn(side: Side): Promise<Examples> {
  const official = await installFor('official', 'sdk-example', packages);
  const modules = side === 'official' ? official : await installFor(side, 'sdk-example', [ourPackage]);
  const folder = join(modules, '..', 'examples-run');
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'bin'), { recursive: true });
  await cp(join(official, '@agentclientprotocol/sdk/dist/examples'), join(folder, 'examples'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  await writeFile(join(folder, 'acp.js'), "export * from '@agentclientprotocol/sdk';\n");
  const node = await newerNode();
  // The client starts `npx tsx agent.ts`.
  const npx = `#!/bin/sh\nexec '${node}' '${tap}' '${folder}/frames.jsonl' '${node}' '${folder}/examples/agent.js'\n`;
  await writeFile(join(folder, 'bin', 'npx'), npx, { mode: 0o755 });
  return { modules, folder, node };
}

async function turn({ folder, node }: Examples, answer: string, last: string): Promise<StepResult> {
  const log = join(folder, 'frames.jsonl');
  await rm(log, { force: true });
  const path = [join(folder, 'bin'), process.env['PATH']].join(delimiter);
  const client = spawn(node, [join(folder, 'examples/client.js')], {
    env: { ...process.env, PATH: path },
    timeout: 60_000,
  });
  client.stdin.end(answer);
  const [stdout, stderr] = await Promise.all([text(client.stdout), text(client.stderr)]);
  const isFine = stdout.includes(last) && stdout.includes('Agent completed with: end_turn');
  return {
    failures: isFine ? [] : [`the client printed ${stdout}${stderr}`],
    frames: (await readFile(log, 'utf8')).split('\n'),
  };
}
