// npm run real-clients: acpx drives an agent on another machine through `turnwire connect`, over WebSocket and over HTTP.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryStore } from '@turnwire/agent';
import { serveAgent } from '@turnwire/agent/node';
import { root } from './run.mjs';

/** The version that is known to work; its install scripts are not run. */
const acpx = 'acpx@0.19.1';
const home = await mkdtemp(join(tmpdir(), 'real-clients-'));
const env = { ...process.env, HOME: home, TURNWIRE_TOKEN: 'secret' };

/** Runs a program to its end. */
function run(
  program: string,
  words: readonly string[],
): Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    execFile(program, words, { cwd: home, env, timeout: 120_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout: stdout.trim(), stderr }),
    );
  });
}

/** The words of acpx, and the last line it has to print. */
const steps: readonly (readonly [words: readonly string[], printed: RegExp])[] = [
  [['exec', 'hello there'], /^hello there: allowed$/],
  [['sessions', 'new'], /^[\w-]+$/],
  [['prompt', 'one'], /^one: allowed$/],
  [['prompt', 'two'], /^two: allowed$/],
  [['sessions', 'close'], /^/],
];

/** Goes through the steps with an agent at a URL. Returns whether all went well. */
async function drive(url: string): Promise<boolean> {
  const command = `${process.execPath} ${join(root, 'apps/cli/bin/turnwire.js')} connect ${url}`;
  const program = join(home, 'node_modules', '.bin', 'acpx');
  let isFine = true;
  for (const [words, printed] of steps) {
    const options = ['--approve-all', '--ttl', '5', '--format', 'quiet', '--agent', command];
    const { code, stdout, stderr } = await run(program, [...options, ...words]);
    const isOk = code === 0 && printed.test(stdout.split('\n').at(-1) ?? '');
    isFine &&= isOk;
    console.log(
      `${isOk ? 'ok    ' : 'FAILED'} ${new URL(url).protocol} ${words.join(' ')}${isOk ? '' : `: ${String(code)} ${stdout} ${stderr}`}`,
    );
  }
  return isFine;
}

await mkdir(home, { recursive: true });
await writeFile(join(home, 'package.json'), '{ "private": true }\n');
await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', acpx]);
await using agent = await serveAgent(
  {
    info: { name: 'remote', version: '1.0.0' },
    store: memoryStore(),
    prompt: async (turn) => {
      const tool = turn.tool({ title: 'Run it', kind: 'execute' });
      const { outcome } = await turn.askPermission(tool);
      await tool.complete();
      await turn.say(`${turn.text}: ${outcome}`);
    },
  },
  { listen: { token: 'secret' } },
);
const results = [await drive(agent.url), await drive(agent.httpUrl)];
if (results.includes(false)) process.exitCode = 1;
await rm(home, { recursive: true, force: true, maxRetries: 5 });
