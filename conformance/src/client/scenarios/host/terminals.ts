import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RequirementId } from '../../../requirements/requirement.ts';
import { asMessage, at, type JournalEntry, quoted, type RawMessage, type Reply } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type ClientScripts, type ClientContext, inTurn } from '../../client-context.ts';
import type { SimulatedTurn } from '../../simulated-turn.ts';

const offered = { needs: ['terminal'] };

export const terminalsScenarios: ClientScripts = {
  'terminals/life': inTurn(offered, async (turn, context) => {
    const { see } = context;
    const reply = await turn.tryToAsk('terminal/create', waiting(context));
    if (!see.check('R218', reply === undefined && 'terminal/create was not answered while its command ran')) return;
    const terminalId = terminalIn(reply);
    const running = await printed(turn, terminalId);
    const isEnded = (at(running.result, 'exitStatus') ?? null) !== null;
    see.check('R223', isEnded && 'terminal/output reported an exitStatus while the command was running', running);
    await seeExit(context, turn, terminalId);
    const over = await turn.ask('terminal/output', { terminalId });
    const isComplete =
      String(at(over.result, 'output')).includes('up') && at(over.result, 'exitStatus', 'exitCode') === 3;
    see.check(
      'R223',
      !isComplete && 'terminal/output lacked the output or the exitStatus after the command had ended',
      over,
    );
    // The last two of the five terminal methods; the others were called above.
    const last = [await turn.ask('terminal/kill', { terminalId }), await turn.ask('terminal/release', { terminalId })];
    const unknown = last.filter(({ error }) => error?.code === -32_601);
    see.check(
      'R217',
      unknown.length > 0 && 'the client offers terminals but does not implement all five methods',
      unknown,
    );
  }),
  'terminals/environment': inTurn(offered, async (turn, context) => {
    const cwd = join(context.folder, 'sub folder');
    await mkdir(cwd);
    const code = `process.stdout.write(JSON.stringify([process.cwd(), process.env.CHECK_ONE, process.env.CHECK_TWO, process.env.PATH !== undefined]))`;
    const [one, two] = ['a "quoted" ä $HOME', ''];
    const env = [
      { name: 'CHECK_ONE', value: one },
      { name: 'CHECK_TWO', value: two },
    ];
    const result = await outputOf(turn, { ...program(code), cwd, env });
    const hasAll = result.output.includes(quoted([one, two, true]).slice(1));
    const fault = `the command did not get its variables and PATH: ${result.output}`;
    context.see.check('R220', !hasAll && fault, result);
    const isElsewhere = !result.output.includes(quoted(cwd));
    context.see.check('R217', isElsewhere && `the command did not run in its cwd: ${result.output}`, result);
  }),
  'terminals/output-limit': inTurn(offered, async (turn, context) => {
    await limited(context, turn, ['R221', 'abcdefghijklmnopqrstuvwxyz', 10]);
    await limited(context, turn, ['R222', '€'.repeat(20), 10]);
    await limited(context, turn, ['R222', '🌍'.repeat(20), 11]);
    const whole = await outputOf(turn, { ...printing('abc'), outputByteLimit: 100 });
    const isWhole = whole.output === 'abc' && whole.truncated !== true;
    const fault = 'output below the limit was incomplete or reported as truncated';
    context.see.check('R223', !isWhole && fault, whole);
  }),
  'terminals/characters': inTurn(offered, async (turn, context) => {
    // One byte at a time, with pauses: each one arrives alone.
    const text = '€ü🌍';
    const code = `const bytes = Buffer.from(${quoted(text)}); let n = 0; const timer = setInterval(() => { process.stdout.write(bytes.subarray(n, n + 1)); n += 1; if (n === bytes.length) clearInterval(timer); }, 30)`;
    const result = await outputOf(turn, program(code));
    const fault = `the output ${quoted(text)}, whose bytes arrived one at a time, was returned as ${quoted(result.output)}`;
    context.see.check('R417', !result.output.includes(text) && fault, result);
  }),
  'terminals/relative-folder': inTurn(offered, async (turn, context) => {
    await mkdir(join(context.folder, 'sub folder'));
    const reply = await turn.ask('terminal/create', { ...printing('up'), cwd: 'sub folder' });
    context.see.check(
      'R370',
      reply.error === undefined && 'terminal/create with a relative cwd was not refused',
      reply,
    );
  }),
  'terminals/signal': async (context) => {
    if (process.platform === 'win32') throw new Stopped('this system does not support signals');
    const script = async (turn: SimulatedTurn): Promise<void> => {
      const terminalId = await created(turn, program("process.kill(process.pid, 'SIGKILL')"));
      const reply = await turn.ask('terminal/wait_for_exit', { terminalId });
      const { exitCode, signal, words } = exitIn(reply);
      // The exit code if a shell started the command.
      const isShell = exitCode === 128 + 9;
      const isRight = isShell || (exitCode === null && typeof signal === 'string' && signal !== '');
      context.see.check('R224', !isRight && `a command killed by SIGKILL was reported with ${words}`, reply);
    };
    await context.turn(script, offered);
  },
  'terminals/kill': inTurn(offered, async (turn, context) => {
    const { see } = context;
    const terminalId = await startRunning(turn, beating(context));
    const waits = [1, 2].map(() => turn.tryToAsk('terminal/wait_for_exit', { terminalId }));
    const kill = await turn.ask('terminal/kill', { terminalId });
    const isOver = await hasStopped(context);
    see.check('R225', (kill.error !== undefined || !isOver) && 'the command kept running after terminal/kill', kill);
    if (isOver) {
      const exits = await Promise.all(waits);
      see.check('R231', exits.includes(undefined) && 'terminal/wait_for_exit was not answered after terminal/kill');
      judgeKilled(context, exits[0]);
    }
    const later = [
      await turn.ask('terminal/output', { terminalId }),
      await turn.ask(isOver ? 'terminal/wait_for_exit' : 'terminal/output', { terminalId }),
    ];
    const lost = later.filter(({ error }) => error !== undefined);
    see.check('R225', lost.length > 0 && 'the terminal was gone after terminal/kill', lost);
    await turn.ask('terminal/release', { terminalId });
  }),
  'terminals/release': inTurn(offered, async (turn, context) => {
    const { see } = context;
    const terminalId = await startRunning(turn, beating(context));
    const wait = turn.tryToAsk('terminal/wait_for_exit', { terminalId });
    const release = await turn.ask('terminal/release', { terminalId });
    const isOver = await hasStopped(context);
    see.check(
      'R227',
      (release.error !== undefined || !isOver) && 'the command kept running after terminal/release',
      release,
    );
    if (isOver)
      see.check('R231', (await wait) === undefined && 'terminal/wait_for_exit was not answered after terminal/release');
    // An audit rule judges whether these are refused.
    for (const method of ['terminal/output', 'terminal/kill', 'terminal/wait_for_exit'])
      await turn.ask(method, { terminalId });
  }),
  'terminals/other-session': inTurn(offered, async (turn, context) => {
    const terminalId = await startRunning(turn, waiting(context));
    const sessionId = `${turn.sessionId}-of-others`;
    // An audit rule judges whether these are refused.
    for (const method of ['terminal/output', 'terminal/kill', 'terminal/release'])
      await turn.ask(method, { sessionId, terminalId });
    await turn.ask('terminal/release', { terminalId });
  }),
  'terminals/wait-timeout': inTurn(offered, async (turn, context) => {
    const terminalId = await startRunning(turn, waiting(context));
    judgeEarly(context, await turn.tryToAsk('terminal/wait_for_exit', { terminalId, timeout: 100 }, 600));
    await turn.ask('terminal/release', { terminalId });
  }),
};

/** Judges the answer to `terminal/wait_for_exit` for a command that then exits with code 3. */
async function seeExit({ see, folder }: ClientContext, turn: SimulatedTurn, terminalId: string): Promise<void> {
  const exit = turn.tryToAsk('terminal/wait_for_exit', { terminalId });
  const isEarly = await Promise.race([exit.then(() => true), delay(200).then(() => false)]);
  await writeFile(join(folder, 'go'), '');
  const ended = await exit;
  const code = at(ended?.result, 'exitCode');
  const early = isEarly && 'terminal/wait_for_exit was answered while the command was running';
  const late = ended === undefined && 'terminal/wait_for_exit was not answered after the command had ended';
  see.check('R224', early || late || (code !== 3 && `the exit code 3 was reported as ${quoted(code)}`), ended);
}

/** Judges that a killed command is reported with a signal or a nonzero exit code. */
function judgeKilled({ see }: ClientContext, exit: Reply | undefined): void {
  if (exit?.error !== undefined || exit === undefined) return;
  const { exitCode, signal, words } = exitIn(exit);
  const isReported = typeof signal === 'string' || (typeof exitCode === 'number' && exitCode !== 0);
  see.check('R224', !isReported && `a killed command was reported with ${words}`, exit);
}

function judgeEarly({ see }: ClientContext, early: Reply | undefined): void {
  if (early === undefined || early.error !== undefined) {
    see.held('R224');
    return see.unseen('R325', 'the client waits for the end of the command: the protocol defines no timeout for it');
  }
  const { exitCode, signal } = exitIn(early);
  const isHonest = exitCode === null && signal === null;
  if (see.check('R224', !isHonest && 'a running command was reported as ended', early)) see.held('R325');
}

/** How a command ended; `words` is the end of a sentence. */
function exitIn({ result }: Reply): { readonly exitCode: unknown; readonly signal: unknown; readonly words: string } {
  const { exitCode = null, signal = null } = asMessage(result) ?? {};
  return { exitCode, signal, words: `exitCode ${quoted(exitCode)} and signal ${quoted(signal)}` };
}

/** Judges the output of a command that prints more than the byte limit. */
async function limited(
  { see }: ClientContext,
  turn: SimulatedTurn,
  [requirement, text, limit]: readonly [RequirementId, string, number],
): Promise<void> {
  const result = await outputOf(turn, { ...printing(text), outputByteLimit: limit });
  const { output, truncated } = result;
  const isCut = output !== '' && text.endsWith(output) && Buffer.byteLength(output) <= limit && truncated === true;
  const received = `${quoted(output)} with truncated ${String(truncated)}`;
  const fault = `for ${quoted(text)} with a limit of ${String(limit)} bytes the client returned ${received}`;
  see.check(requirement, !isCut && fault, result);
}

/** Runs a command to its end and returns its output. Its terminal is released. */
async function outputOf(
  turn: SimulatedTurn,
  command: RawMessage,
): Promise<{ readonly output: string; readonly truncated: unknown; readonly entry: JournalEntry }> {
  const terminalId = await created(turn, command);
  await turn.ask('terminal/wait_for_exit', { terminalId });
  const { result, entry } = await turn.ask('terminal/output', { terminalId });
  await turn.ask('terminal/release', { terminalId });
  return { output: String(at(result, 'output')), truncated: at(result, 'truncated'), entry };
}

async function created(turn: SimulatedTurn, command: RawMessage): Promise<string> {
  return terminalIn(await turn.ask('terminal/create', command));
}

/** Starts a command and waits until it has printed `up`. */
async function startRunning(turn: SimulatedTurn, command: RawMessage): Promise<string> {
  const terminalId = await created(turn, command);
  await printed(turn, terminalId);
  return terminalId;
}

function terminalIn(reply: Reply | undefined): string {
  const id = at(reply?.result, 'terminalId');
  const missing = 'the client offers terminals but does not implement terminal/create';
  if (reply?.error?.code === -32_601) throw new Stopped(missing, { requirement: 'R217', evidence: [reply.entry] });
  if (typeof id !== 'string') throw new Stopped('the client refuses to run commands');
  return id;
}

/** Waits until `terminal/output` contains `up`. Stops the scenario if it never does. */
async function printed(turn: SimulatedTurn, terminalId: string): Promise<Reply> {
  for (let tries = 0; tries < 200; tries += 1) {
    const reply = await turn.ask('terminal/output', { terminalId });
    if (reply.error !== undefined) break;
    if (String(at(reply.result, 'output')).includes('up')) return reply;
    await delay(25);
  }
  throw new Stopped('terminal/output does not show what a running command printed', {
    requirement: 'R223',
    evidence: [],
  });
}

/** Whether the command of `beating` stops within three seconds. */
async function hasStopped({ folder }: ClientContext): Promise<boolean> {
  const size = async (): Promise<number> => {
    const found = await stat(join(folder, 'beat')).catch(() => undefined);
    if (found === undefined) throw new Stopped('the file that the command writes cannot be read here');
    return found.size;
  };
  for (let tries = 0, before = await size(); tries < 12; tries += 1) {
    await delay(250);
    const now = await size();
    if (now === before) return true;
    before = now;
  }
  return false;
}

function printing(text: string): RawMessage {
  return program(`process.stdout.write(${quoted(text)})`);
}

function program(code: string): RawMessage {
  return { command: process.execPath, args: ['-e', code] };
}

/** A command that appends to the file `beat` every 20 ms, which shows whether it runs. It exits by itself after 20 seconds. */
function beating({ folder: cwd }: ClientContext): RawMessage {
  const code = `${beat}; setInterval(() => ${beat}, 20); setTimeout(() => process.exit(9), 20000); process.stdout.write('up')`;
  return { ...program(code), cwd };
}

const beat = "require('fs').appendFileSync('beat', '.')";

/** A command that runs until the file `go` exists, and then exits with code 3. */
function waiting({ folder: cwd }: ClientContext): RawMessage {
  const check = "if (require('fs').existsSync('go')) process.exit(3)";
  const code = `process.stdout.write('up'); setInterval(() => { ${check} }, 20); setTimeout(() => process.exit(9), 20000)`;
  return { ...program(code), cwd };
}
