import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programPath } from '@turnwire/client/node';
import { postgresPrograms } from '../../../packages/cluster/test/postgres/throw-away-postgres.ts';
import { bundleProgram } from '../../bundle-program.mjs';
import { within } from '../../pace.ts';
import { root } from '../../run.mjs';
import { commandsNotRun } from './commands-not-run.ts';
import { type DocumentedCommand, documentedCommands } from './documented-blocks.ts';
import { type CommandNotes, pageNotes } from './page-notes.ts';

/** A command of a page whose result differs from the promise of the page. */
export interface FailedCommand {
  readonly at: string;
  /** The command that ran. */
  readonly command: string;
  readonly problem: string;
  readonly stdout: string;
  readonly stderr: string;
}

interface NotedCommand extends DocumentedCommand {
  readonly notes: CommandNotes;
  /** The command with placeholders replaced, and shortened. */
  readonly run: string;
}

/** `stays NAME TEXT` waits until the command that was started last, which writes to the files of that name, has printed the text. */
const prelude = `
set -a
started=()
stays() {
  started+=("$1:$!")
  local tries
  for ((tries = 0; tries < 600; tries++)); do
    [[ "$(<"$OUT/$1.out")$(<"$OUT/$1.err")" == *"$2"* ]] && return
    kill -0 $! 2>/dev/null || return
    sleep 0.1
  done
}
end_all() {
  local each code
  for each in "\${started[@]}"; do kill -TERM "\${each#*:}" 2>/dev/null || : >"$OUT/\${each%:*}.early"; done
  for each in "\${started[@]}"; do
    wait "\${each#*:}"
    code=$?
    [[ -e "$OUT/\${each%:*}.early" ]] && code="$code, before it was told to end,"
    echo "$code" >"$OUT/\${each%:*}.code"
  done
  started=()
}
trap end_all EXIT
`;

/** The timeout for all commands of a page, in milliseconds. A command that hangs is reported as one without an exit code. */
export const longestPage = 90_000;

const inTerminal = fileURLToPath(new URL('./in-terminal.ts', import.meta.url));

/** The commands of a page that the test runs. */
export function commandsToRun(page: string): readonly NotedCommand[] {
  const { replaced = {}, commands = {} } = pageNotes[page] ?? {};
  return documentedCommands
    .filter((each) => each.page === page && !commandsNotRun.some(({ command }) => command === each.text))
    .filter(({ text }) => isAvailable(commands[text]?.needs))
    .map((each) => {
      const run = Object.entries(replaced).reduce((text, [from, to]) => text.replaceAll(from, to), each.text);
      return { ...each, notes: commands[each.text] ?? {}, run: shortened(run) };
    });
}

function isAvailable(program: CommandNotes['needs']): boolean {
  return (
    program === undefined ||
    (program === 'jq' ? programPath('jq', { cwd: root, env: process.env }) : postgresPrograms) !== undefined
  );
}

/** All scenarios of the test kit take most of a minute and have other tests; one shows that the command line is correct. */
function shortened(command: string): string {
  if (!command.startsWith('turnwire check ') || /--(?:only|list|fuzz) /.test(`${command} `)) return command;
  const isOfClient = /--(?:client|over) /.test(command);
  // The matrix of the page has agents of both versions.
  const scenario = isOfClient ? 'framing/turn' : command.includes('check matrix') ? 'ids/kinds' : 'initialize/answer';
  return command.replace(/check(?: matrix)?/, `$& --only ${scenario}`);
}

/**
 * Runs the commands of a page in one shell, in the order of the page, in a new folder with its own home.
 * @param programs a folder with the programs that pages name
 * @param env additional environment variables
 */
export async function runPage(
  page: string,
  programs: string,
  env: Readonly<Record<string, string>>,
): Promise<readonly FailedCommand[]> {
  const commands = commandsToRun(page);
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'page-')));
  const [home, project, out] = ['home', 'project', 'out'].map((name) => join(folder, name)) as [string, string, string];
  await Promise.all([home, project, out].map((each) => mkdir(each)));
  const script = join(folder, 'page.sh');
  await writeFile(script, scriptOf(pageNotes[page]?.prepare, commands));
  const shell = spawn('bash', [script], {
    cwd: project,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      HOME: home,
      OUT: out,
      PATH: [programs, postgresPrograms, process.env['PATH']].filter(Boolean).join(':'),
      TMPDIR: tmpdir(),
      LANG: 'C.UTF-8',
      TURNWIRE_CODER_MODEL: 'offline',
      IN_TERMINAL: bundleProgram(inTerminal),
      ...env,
    },
  });
  const end = (): void => endGroup(shell.pid);
  const hangs = setTimeout(end, within(longestPage));
  try {
    const stderr = textOf(shell.stderr);
    await once(shell, 'close');
    const failed = await Promise.all(commands.map((command, at) => failureOf(command, join(out, String(at)))));
    const preparing = await stderr;
    if (preparing !== '')
      throw new Error(`what was prepared for ${page}, or done between its commands, failed:\n${preparing}`);
    return failed.filter((each) => each !== undefined);
  } finally {
    clearTimeout(hangs);
    end();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

function scriptOf(prepare: string | undefined, commands: readonly NotedCommand[]): string {
  const steps = commands.map(({ run, notes }, at) => [`LAST=${at}`, step(run, notes, at), notes.after].join('\n'));
  return [prelude, prepare, ...steps, ''].join('\n');
}

function step(command: string, { chat, printsAndStays, endsOthers }: CommandNotes, at: number): string {
  const files = `</dev/null >"$OUT/${at}.out" 2>"$OUT/${at}.err"`;
  const first = endsOthers ? 'end_all\n' : '';
  if (printsAndStays !== undefined)
    return `${first}: ${files}\n(eval ${quoted(`exec env ${command}`)}) ${files} &\nstays ${at} ${quoted(printsAndStays)}`;
  const run = chat !== undefined ? `node "$IN_TERMINAL" ${quoted(command)} ${quoted(chat)}` : `eval ${quoted(command)}`;
  return `${first}${run} ${files}\necho $? >"$OUT/${at}.code"`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

async function failureOf(command: NotedCommand, files: string): Promise<FailedCommand | undefined> {
  const [code, stdout, stderr] = (await Promise.all(
    ['code', 'out', 'err'].map((kind) => readFile(`${files}.${kind}`, 'utf8').catch(() => '(nothing was written)')),
  )) as [string, string, string];
  const problem = problemOf(command.notes, { code: code.trim(), stdout, stderr });
  if (problem === undefined) return undefined;
  const { page, line, run } = command;
  return { at: `${page}:${line}`, command: run, problem, stdout: stdout.slice(-1500), stderr: stderr.slice(-1500) };
}

function problemOf(
  { code: [expected] = [0, ''], printsAndStays, prints = '' }: CommandNotes,
  { code, stdout, stderr }: { readonly code: string; readonly stdout: string; readonly stderr: string },
): string | undefined {
  const text = printsAndStays ?? prints;
  // This signal ends the commands in the background.
  const isEnded = code === String(expected) || (printsAndStays !== undefined && code === '143');
  if (!isEnded) return `exit code ${code} instead of ${expected}`;
  if (!`${stdout}${printsAndStays === undefined ? '' : stderr}`.includes(text)) return `it did not print ${text}`;
  const [unknown] = /unknown (?:option|command).*|has no command.*/.exec(stderr) ?? [];
  return unknown;
}

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}
