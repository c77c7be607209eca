// npm run real-clients -- [--protocol 2]: acpx drives an agent on another machine through `turnwire connect`, over WebSocket and over HTTP, and the built-in
// agent and the one of Claude through `turnwire proxy`, whose rules refuse a command. The model of the latter is a program on this machine.
// With --protocol 2, only: acpx, which has version 1, drives an agent that has only version 2, through `turnwire proxy`.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { memoryStore } from '@turnwire/agent';
import { serveAgent } from '@turnwire/agent/node';
import { realAgents } from './real-agents/agents.ts';
import { install } from './real-agents/install.ts';
import { ModelServer } from './real-agents/model-server.ts';
import { root } from './run.mjs';

const { values } = parseArgs({ options: { protocol: { type: 'string' } } });
if (values.protocol !== undefined && values.protocol !== '2') throw new Error('--protocol: only 2 is possible');

/** This version is known to work; its install scripts do not run. */
const acpx = 'acpx@0.19.1';
const home = await mkdtemp(join(tmpdir(), 'real-clients-'));
const env = { ...process.env, HOME: home, TURNWIRE_TOKEN: 'secret', TURNWIRE_CODER_MODEL: 'offline' };

/** Runs a program to its end. */
function run(
  program: string,
  args: readonly string[],
): Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: home, env, timeout: 120_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout: stdout.trim(), stderr }),
    );
  });
}

/** Arguments of acpx, and a pattern of the output. */
type Step = readonly [args: readonly string[], output: RegExp];

const remoteSteps: readonly Step[] = [
  [['exec', 'hello there'], /^hello there: allowed$/m],
  [['sessions', 'new'], /^[\w-]+$/m],
  [['prompt', 'one'], /^one: allowed$/m],
  [['prompt', 'two'], /^two: allowed$/m],
  [['sessions', 'close'], /^/],
];

/** The client approves everything, so only the rules of the project can refuse a command. */
const proxySteps: readonly Step[] = [
  [['exec', 'run echo may run'], /^may run$/m],
  [['exec', 'run touch refused.txt'], /not allowed|refused|denied/i],
  [['exec', 'list files'], /^(?![^]*refused\.txt)[^]*package\.json/],
];

const claudeSteps: readonly Step[] = [
  [['exec', 'script: run echo may run'], /may run/],
  [['exec', 'script: run touch refused.txt'], /^/],
  [['exec', 'script: run ls'], /^(?![^]*refused\.txt)[^]*package\.json/],
];

/** Sessions continue in the next process of the proxy. */
const version2Steps: readonly Step[] = [
  ...proxySteps,
  [['sessions', 'new'], /^[\w-]+$/m],
  [['prompt', 'run echo first'], /^first$/m],
  [['prompt', 'run echo second'], /^second$/m],
  [['sessions', 'close'], /^/],
];

/** `turnwire proxy` in front of an agent that has only version 2. */
function version2Proxy(): string {
  const program = join(root, 'tools/real-agents/coder-of-version-2.mjs');
  return `--env TURNWIRE_CODER_MODEL proxy -- ${process.execPath} ${program}`;
}

/** `turnwire proxy` in front of the agent of Claude. */
async function claudeProxy(url: string): Promise<string> {
  const claude = realAgents.find(({ name }) => name === 'claude');
  if (!claude) throw new Error('the agent of Claude is not among the real agents');
  const { command, path } = await install(claude);
  Object.assign(env, claude.environment(url), { PATH: path });
  const passed = Object.keys(claude.environment(url)).map((name) => `--env ${name}`);
  return [...passed, '--env PATH', 'proxy', '--', ...command].join(' ');
}

/** Runs the steps with one of our commands as the agent. Returns whether all succeeded. */
async function drive(name: string, own: string, steps: readonly Step[]): Promise<boolean> {
  const command = `${process.execPath} ${join(root, 'apps/cli/bin/turnwire.js')} ${own}`;
  const program = join(home, 'node_modules', '.bin', 'acpx');
  let isFine = true;
  for (const [args, output] of steps) {
    const options = ['--approve-all', '--ttl', '5', '--format', 'quiet', '--agent', command];
    const { code, stdout, stderr } = await run(program, [...options, ...args]);
    const isOk = code === 0 && output.test(stdout);
    isFine &&= isOk;
    console.log(
      `${isOk ? 'ok    ' : 'FAILED'} ${name} ${args.join(' ')}${isOk ? '' : `: ${String(code)} ${stdout} ${stderr}`}`,
    );
  }
  return isFine;
}

async function driveOthers(): Promise<readonly boolean[]> {
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
  await using model = await ModelServer.start();
  return [
    await drive('ws:', `connect ${agent.url}`, remoteSteps),
    await drive('http:', `connect ${agent.httpUrl}`, remoteSteps),
    await drive('proxy', 'proxy', proxySteps),
    await drive('claude behind the proxy', await claudeProxy(model.url), claudeSteps),
  ];
}

await mkdir(home, { recursive: true });
await writeFile(join(home, 'package.json'), '{ "private": true }\n');
const installed = await run('npm', [
  'install',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--engine-strict=false',
  acpx,
]);
if (installed.code !== 0) throw new Error(`acpx cannot be installed: ${installed.stderr}`);
await mkdir(join(home, '.turnwire'));
await writeFile(join(home, '.turnwire', 'permissions.json'), '{ "deny": ["Bash(touch *)"] }\n');
const results =
  values.protocol === '2' ? [await drive('proxy of version 2', version2Proxy(), version2Steps)] : await driveOthers();
if (results.includes(false)) process.exitCode = 1;
await rm(home, { recursive: true, force: true, maxRetries: 5 });
