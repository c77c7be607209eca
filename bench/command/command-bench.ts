import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn as spawnInTerminal } from '@lydell/node-pty';
import { installOnce, newerNode } from '../../tools/real-agents/install.ts';
import { median } from '../median.ts';
import { table } from '../table.ts';

/** How long a user waits after starting a command, in milliseconds. */
export interface CommandFigure {
  readonly name: 'first screen of a chat' | 'first byte of exec' | 'exec';
  readonly who: 'turnwire' | 'acpx';
  /** The median of the rounds. */
  readonly milliseconds: number;
  /** The fastest round. */
  readonly least: number;
}

const command = fileURLToPath(new URL('../../apps/cli/bin/turnwire.js', import.meta.url));
const agentFile = fileURLToPath(new URL('greeting-agent.mjs', import.meta.url));

/** The compared version of acpx, the best known client for scripts. */
const acpx = 'acpx@0.19.1';

/**
 * Measures the time of a chat from the agent's answer to a screen that accepts prompts. Then measures a turn of one agent, from the start of
 * the command to the first byte of its output and to its end, in alternation with acpx.
 */
export async function measureCommand(rounds: number): Promise<readonly CommandFigure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'command-bench-'));
  try {
    const times = { screen: [] as number[], turnwire: [] as ExecTimes[], acpx: [] as ExecTimes[] };
    // Both run on the Node that acpx needs.
    const node = await newerNode();
    const acpxProgram = join(await installOnce('acpx', [acpx]), 'acpx', 'dist', 'cli.js');
    for (let round = 0; round <= rounds; round++) {
      const screen = await timeFirstScreen(folder);
      const programs = { turnwire: command, acpx: acpxProgram };
      const order = round % 2 === 0 ? (['turnwire', 'acpx'] as const) : (['acpx', 'turnwire'] as const);
      const taken = new Map<CommandFigure['who'], ExecTimes>();
      for (const who of order)
        taken.set(who, await timeExec([node, programs[who], '--agent', agentCommand(node)], folder));
      process.stderr.write('.');
      // The first round fills the file cache.
      if (round === 0) continue;
      times.screen.push(screen);
      for (const [who, each] of taken) times[who].push(each);
    }
    process.stderr.write('\n');
    const figure = (name: CommandFigure['name'], who: CommandFigure['who'], all: readonly number[]): CommandFigure => ({
      ...{ name, who, milliseconds: median(all), least: Math.min(...all) },
    });
    return [
      figure('first screen of a chat', 'turnwire', times.screen),
      ...(['turnwire', 'acpx'] as const).flatMap((who) => [
        figure(
          'first byte of exec',
          who,
          times[who].map(({ firstByte }) => firstByte),
        ),
        figure(
          'exec',
          who,
          times[who].map(({ end }) => end),
        ),
      ]),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The figures as a table in Markdown. */
export function commandTable(figures: readonly CommandFigure[]): string {
  const rows = figures.map(({ name, who, milliseconds, least }) => [
    ...[name, who, Math.round(milliseconds), Math.round(least)],
  ]);
  return table(['measurement', 'who', 'ms', 'minimum'], rows);
}

/** The time from the agent's answer to `session/new` to a status line with the mode in that answer. */
async function timeFirstScreen(folder: string): Promise<number> {
  const file = join(folder, 'answered');
  const args = [command, '--agent', agentCommand(process.execPath, file), '--cwd', folder];
  const pty = spawnInTerminal(process.execPath, args, {
    cols: 100,
    rows: 30,
    name: 'xterm-256color',
    env: isolatedEnvironment(folder),
  });
  const ended = new Promise<void>((resolve) => pty.onExit(() => resolve()));
  let seen = '';
  const shown = await new Promise<number>((resolve) => {
    pty.onData((data) => {
      seen = (seen + data).slice(-20_000);
      if (seen.includes('Mode One')) resolve(Date.now());
    });
  });
  pty.kill('SIGTERM');
  await ended;
  return shown - Number(await readFile(file, 'utf8'));
}

interface ExecTimes {
  readonly firstByte: number;
  readonly end: number;
}

async function timeExec([program = '', ...args]: readonly string[], folder: string): Promise<ExecTimes> {
  const start = performance.now();
  const child = spawn(program, [...args, '--cwd', folder, 'exec', 'hello'], {
    cwd: folder,
    env: isolatedEnvironment(folder),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let firstByte: number | undefined;
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    firstByte ??= performance.now() - start;
    output += chunk.toString();
  });
  await new Promise((resolve) => child.once('close', resolve));
  const end = performance.now() - start;
  if (firstByte === undefined || !output.includes('GREETING')) throw new Error(`${args.join(' ')} printed ${output}`);
  return { firstByte, end };
}

function agentCommand(node: string, ...args: readonly string[]): string {
  return [node, agentFile, ...args].map((each) => `'${each}'`).join(' ');
}

/** A home without configuration and sessions. */
function isolatedEnvironment(folder: string): Record<string, string> {
  const { PATH = '' } = process.env;
  return { PATH, HOME: folder, TERM: 'xterm-256color', LANG: 'C.UTF-8' };
}
