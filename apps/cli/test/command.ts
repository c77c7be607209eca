import { type ChildProcess, fork, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../../tools/bundle-program.mjs';
import { within } from '../../../tools/pace.ts';

/** How a run of the command ended. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a run is given besides its words. */
export interface RunOptions {
  readonly cwd?: string;
  readonly stdin?: string;
  /** Leave stdin open behind what it is given. */
  readonly keepsStdin?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the process once it is started. */
  readonly meanwhile?: (child: ChildProcess) => void;
}

/** The words that run the command with Node, from its sources. The tests of `npm start` and of the packages run what was built. */
export const commandWords: readonly string[] = [
  bundleProgram(fileURLToPath(new URL('fixtures/turnwire.ts', import.meta.url))),
];

/** A value of `--timeout` within which the command and its agent always start, also on a busy machine. */
export const startSeconds = String(Math.ceil(within(2_000) / 1_000));

/** A command line for `--agent`: the scripted agent of the client's tests. */
export function scripted(...words: readonly string[]): string {
  const path = fileURLToPath(new URL('../../../packages/client/test/fixtures/scripted-agent.mjs', import.meta.url));
  return [process.execPath, path, ...words].map((word) => `'${word}'`).join(' ');
}

/** What the user who runs the tests has configured, or has under way, is none of theirs. */
const nowhere = join(tmpdir(), 'turnwire-tests-nowhere');
export const plainEnvironment: NodeJS.ProcessEnv = {
  ...process.env,
  XDG_CONFIG_HOME: join(nowhere, 'config'),
  XDG_DATA_HOME: join(nowhere, 'data'),
  XDG_STATE_HOME: join(nowhere, 'state'),
  // Whoever has a key pays for no tests.
  TURNWIRE_CODER_MODEL: 'offline',
};

/**
 * Runs the command to its end, without a terminal. A run that nobody interrupts, that is given nothing to read, and no variables that Node
 * looks at when it starts, is done in a process that all such runs share, one after the other: most of what it costs otherwise is the
 * start of its process.
 */
export function turnwire(words: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const { stdin, keepsStdin = false, meanwhile, env = {} } = options;
  const isForNode = Object.keys(env).some((name) => name.startsWith('NODE_'));
  const isAlone = stdin !== undefined || keepsStdin || meanwhile !== undefined || isForNode;
  return isAlone ? turnwireApart(words, options) : turnwireInTurn(words, options);
}

/** The same in a process of its own, for runs at the same time. */
export async function turnwireApart(
  words: readonly string[],
  { cwd, stdin = '', keepsStdin = false, env, meanwhile }: RunOptions = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [...commandWords, ...words], { cwd, env: { ...plainEnvironment, ...env } });
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.stdin.on('error', () => undefined).write(stdin);
  if (!keepsStdin) child.stdin.end();
  meanwhile?.(child);
  const printed = text(child.stdout).catch(() => '(closed by the test)');
  const [stdout, stderr] = await Promise.all([printed, text(child.stderr)]);
  return { code: await code, stdout, stderr };
}

/** Asks the process of {@link turnwireInTurn}; started when it is first needed. */
let ask: ((request: object) => Promise<Outcome>) | undefined;
/** The end of what it was asked for last. */
let free: Promise<unknown> = Promise.resolve();

function turnwireInTurn(words: readonly string[], { cwd = process.cwd(), env }: RunOptions): Promise<Outcome> {
  const outcome = free.then(() => {
    ask ??= startInTurn();
    return ask({ words, cwd, env: { ...plainEnvironment, ...env } });
  });
  free = outcome.catch(() => undefined);
  return outcome;
}

function startInTurn(): (request: object) => Promise<Outcome> {
  const [program = ''] = commandWords;
  // Without the options that Node was given for the tests: with them, programs do not take what V8 compiled of them before.
  const child = fork(program, ['commands-in-turn'], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // It ends with this process, and keeps it from nothing.
  child.unref();
  child.channel?.unref();
  child.once('exit', () => (ask = undefined));
  return (request) =>
    new Promise((resolve, reject) => {
      // What never ends shall not keep the next ones waiting.
      const tooLate = setTimeout(() => child.kill('SIGKILL'), within(50_000));
      const ended = (): void =>
        reject(new Error(`the process has ended in which this ran: ${JSON.stringify(request)}`));
      child.once('exit', ended);
      child.once('message', (outcome) => {
        clearTimeout(tooLate);
        child.off('exit', ended);
        resolve(outcome as Outcome);
      });
      child.send(request);
    });
}

/** `exec` with the scripted agent. */
export function execScripted(prompt: string, ...words: readonly string[]): Promise<Outcome> {
  return turnwire(['exec', '--agent', scripted(), ...words, '--', prompt]);
}
