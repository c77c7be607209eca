import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn as spawnInTerminal } from '@lydell/node-pty';
import { installOnce, newerNode } from '../../tools/real-agents/install.ts';
import { median } from '../median.ts';
import { table } from '../table.ts';

/** What a user waits for at the start of a command, in milliseconds. */
export interface CommandFigure {
  readonly name: 'first screen of a chat' | 'first byte of exec' | 'exec';
  readonly who: 'turnwire' | 'acpx';
  /** Medians of the rounds. */
  readonly milliseconds: number;
  /** The fastest of them. */
  readonly least: number;
}

const command = fileURLToPath(new URL('../../apps/cli/bin/turnwire.js', import.meta.url));
const agentFile = fileURLToPath(new URL('greeting-agent.mjs', import.meta.url));

/** The client that script authors know, in the version that is compared with. */
const acpx = 'acpx@0.19.1';

/**
 * Measures how long a chat takes from the agent's answer to a screen that takes prompts, and how long a turn of one agent takes from the start of
 * the command to the first byte of its output and to its end, next to acpx; they take turns.
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
        taken.set(who, await timeExec([node, programs[who], '--agent', agentWords(node)], folder));
      process.stderr.write('.');
      // The first round is for the files.
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

/** The form people read, in Markdown. */
export function commandTable(figures: readonly CommandFigure[]): string {
  const rows = figures.map(({ name, who, milliseconds, least }) => [
    ...[name, who, Math.round(milliseconds), Math.round(least)],
  ]);
  return table(['what', 'who', 'ms', 'least'], rows);
}

/** From the agent's answer to `session/new` to a status line with what the answer said. */
async function timeFirstScreen(folder: string): Promise<number> {
  const file = join(folder, 'answered');
  const words = [command, '--agent', agentWords(process.execPath, file), '--cwd', folder];
  const pty = spawnInTerminal(process.execPath, words, {
    cols: 100,
    rows: 30,
    name: 'xterm-256color',
    env: ownPlaces(folder),
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

async function timeExec([program = '', ...words]: readonly string[], folder: string): Promise<ExecTimes> {
  const start = performance.now();
  const child = spawn(program, [...words, '--cwd', folder, 'exec', 'hello'], {
    cwd: folder,
    env: ownPlaces(folder),
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
  if (firstByte === undefined || !output.includes('GREETING')) throw new Error(`${words.join(' ')} printed ${output}`);
  return { firstByte, end };
}

function agentWords(...words: readonly string[]): string {
  const [node = '', ...more] = words;
  return [node, agentFile, ...more].map((word) => `'${word}'`).join(' ');
}

/** A home without configuration and sessions. */
function ownPlaces(folder: string): Record<string, string> {
  const { PATH = '' } = process.env;
  return { PATH, HOME: folder, TERM: 'xterm-256color', LANG: 'C.UTF-8' };
}
