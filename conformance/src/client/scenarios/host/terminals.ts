import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RequirementId } from '../../../requirements/requirement.ts';
import { asMessage, at, type JournalEntry, quoted, type RawMessage, type Reply } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type ClientScripts, type ClientStage, inTurn } from '../../client-stage.ts';
import type { PlayedTurn } from '../../played-turn.ts';

const offered = { needs: ['terminal'] };

export const terminalsScenarios: ClientScripts = {
  'terminals/life': inTurn(offered, async (turn, stage) => {
    const { see } = stage;
    const reply = await turn.tryToAsk('terminal/create', waiting(stage));
    if (!see.check('R218', reply === undefined && 'it was not answered while its command ran')) return;
    const terminalId = terminalIn(reply);
    const running = await printed(turn, terminalId);
    const isEnded = (at(running.result, 'exitStatus') ?? null) !== null;
    see.check('R223', isEnded && 'there is an exitStatus while the command runs', running);
    await seeExit(stage, turn, terminalId);
    const over = await turn.ask('terminal/output', { terminalId });
    const isThere = String(at(over.result, 'output')).includes('up') && at(over.result, 'exitStatus', 'exitCode') === 3;
    see.check('R223', !isThere && 'once the command has ended, its output or its exitStatus are not there', over);
    // The last two of the five methods: the others were of use before.
    const last = [await turn.ask('terminal/kill', { terminalId }), await turn.ask('terminal/release', { terminalId })];
    const unknown = last.filter(({ error }) => error?.code === -32_601);
    see.check('R217', unknown.length > 0 && 'terminals are offered, and not all five methods are there', unknown);
  }),
  'terminals/environment': inTurn(offered, async (turn, stage) => {
    const cwd = join(stage.folder, 'sub folder');
    await mkdir(cwd);
    const code = `process.stdout.write(JSON.stringify([process.cwd(), process.env.CHECK_ONE, process.env.CHECK_TWO, process.env.PATH !== undefined]))`;
    const [one, two] = ['a "quoted" ä $HOME', ''];
    const env = [
      { name: 'CHECK_ONE', value: one },
      { name: 'CHECK_TWO', value: two },
    ];
    const result = await outputOf(turn, { ...program(code), cwd, env });
    const hasAll = result.output.includes(quoted([one, two, true]).slice(1));
    const fault = `of the variables, and of PATH, the command saw ${result.output}`;
    stage.see.check('R220', !hasAll && fault, result);
    const isElsewhere = !result.output.includes(quoted(cwd));
    stage.see.check('R217', isElsewhere && `the command ran elsewhere: ${result.output}`, result);
  }),
  'terminals/output-limit': inTurn(offered, async (turn, stage) => {
    await limited(stage, turn, ['R221', 'abcdefghijklmnopqrstuvwxyz', 10]);
    await limited(stage, turn, ['R222', '€'.repeat(20), 10]);
    await limited(stage, turn, ['R222', '🌍'.repeat(20), 11]);
    const whole = await outputOf(turn, { ...printing('abc'), outputByteLimit: 100 });
    const isWhole = whole.output === 'abc' && whole.truncated !== true;
    const fault = 'output that was short enough is not whole, or called truncated';
    stage.see.check('R223', !isWhole && fault, whole);
  }),
  'terminals/signal': async (stage) => {
    if (process.platform === 'win32') throw new Stopped('this system has no signals');
    const script = async (turn: PlayedTurn): Promise<void> => {
      const terminalId = await created(turn, program("process.kill(process.pid, 'SIGKILL')"));
      const reply = await turn.ask('terminal/wait_for_exit', { terminalId });
      const { exitCode, signal, words } = exitIn(reply);
      // As a shell in between has it.
      const isShell = exitCode === 128 + 9;
      const isRight = isShell || (exitCode === null && typeof signal === 'string' && signal !== '');
      stage.see.check('R224', !isRight && `the end by SIGKILL is reported as ${words}`, reply);
    };
    await stage.turn(script, offered);
  },
  'terminals/kill': inTurn(offered, async (turn, stage) => {
    const { see } = stage;
    const terminalId = await begun(turn, beating(stage));
    const waits = [1, 2].map(() => turn.tryToAsk('terminal/wait_for_exit', { terminalId }));
    const kill = await turn.ask('terminal/kill', { terminalId });
    const isOver = await isStill(stage);
    see.check('R225', (kill.error !== undefined || !isOver) && 'the command continues', kill);
    if (isOver) {
      const exits = await Promise.all(waits);
      see.check('R231', exits.includes(undefined) && 'a wait for it is not answered');
      judgeViolentEnd(stage, exits[0]);
    }
    const later = [
      await turn.ask('terminal/output', { terminalId }),
      await turn.ask(isOver ? 'terminal/wait_for_exit' : 'terminal/output', { terminalId }),
    ];
    const lost = later.filter(({ error }) => error !== undefined);
    see.check('R225', lost.length > 0 && 'after the kill its terminal is not there any more', lost);
    await turn.ask('terminal/release', { terminalId });
  }),
  'terminals/release': inTurn(offered, async (turn, stage) => {
    const { see } = stage;
    const terminalId = await begun(turn, beating(stage));
    const wait = turn.tryToAsk('terminal/wait_for_exit', { terminalId });
    const release = await turn.ask('terminal/release', { terminalId });
    const isOver = await isStill(stage);
    see.check('R227', (release.error !== undefined || !isOver) && 'the command continues', release);
    if (isOver) see.check('R231', (await wait) === undefined && 'a wait for it is not answered');
    // Whether they are refused is judged of every connection.
    for (const method of ['terminal/output', 'terminal/kill', 'terminal/wait_for_exit'])
      await turn.ask(method, { terminalId });
  }),
  'terminals/other-session': inTurn(offered, async (turn, stage) => {
    const terminalId = await begun(turn, waiting(stage));
    const sessionId = `${turn.sessionId}-of-others`;
    // Whether they are refused is judged of every connection.
    for (const method of ['terminal/output', 'terminal/kill', 'terminal/release'])
      await turn.ask(method, { sessionId, terminalId });
    await turn.ask('terminal/release', { terminalId });
  }),
  'terminals/wait-timeout': inTurn(offered, async (turn, stage) => {
    const terminalId = await begun(turn, waiting(stage));
    judgeEarly(stage, await turn.tryToAsk('terminal/wait_for_exit', { terminalId, timeout: 100 }, 600));
    await turn.ask('terminal/release', { terminalId });
  }),
};

/** Waits for the end of a command, and then has it end with 3. */
async function seeExit({ see, folder }: ClientStage, turn: PlayedTurn, terminalId: string): Promise<void> {
  const exit = turn.tryToAsk('terminal/wait_for_exit', { terminalId });
  const isEarly = await Promise.race([exit.then(() => true), delay(200).then(() => false)]);
  await writeFile(join(folder, 'go'), '');
  const ended = await exit;
  const code = at(ended?.result, 'exitCode');
  const early = isEarly && 'it was answered while the command ran';
  const late = ended === undefined && 'it was not answered, though the command has ended';
  see.check('R224', early || late || (code !== 3 && `the exit code 3 came as ${quoted(code)}`), ended);
}

/** What was killed ended by a signal, or with a code that says so. */
function judgeViolentEnd({ see }: ClientStage, exit: Reply | undefined): void {
  if (exit?.error !== undefined || exit === undefined) return;
  const { exitCode, signal, words } = exitIn(exit);
  const isReported = typeof signal === 'string' || (typeof exitCode === 'number' && exitCode !== 0);
  see.check('R224', !isReported && `the end of a command that was killed is reported as ${words}`, exit);
}

function judgeEarly({ see }: ClientStage, early: Reply | undefined): void {
  if (early === undefined || early.error !== undefined) {
    see.held('R224');
    return see.unseen('R325', 'the client waits for the end of the command: the protocol knows no timeout there');
  }
  const { exitCode, signal } = exitIn(early);
  const isHonest = exitCode === null && signal === null;
  if (see.check('R224', !isHonest && 'the command runs, and is reported to have ended', early)) see.held('R325');
}

/** How a command ended, also as part of a sentence. */
function exitIn({ result }: Reply): { readonly exitCode: unknown; readonly signal: unknown; readonly words: string } {
  const { exitCode = null, signal = null } = asMessage(result) ?? {};
  return { exitCode, signal, words: `exitCode ${quoted(exitCode)} and signal ${quoted(signal)}` };
}

/** A command that prints a text, of which as many bytes are wanted. */
async function limited(
  { see }: ClientStage,
  turn: PlayedTurn,
  [requirement, text, limit]: readonly [RequirementId, string, number],
): Promise<void> {
  const result = await outputOf(turn, { ...printing(text), outputByteLimit: limit });
  const { output, truncated } = result;
  const isCut = output !== '' && text.endsWith(output) && Buffer.byteLength(output) <= limit && truncated === true;
  const came = `${quoted(output)} with truncated ${String(truncated)}`;
  const fault = `of ${quoted(text)} with a limit of ${String(limit)} bytes came ${came}`;
  see.check(requirement, !isCut && fault, result);
}

/** What a command printed when it has ended. Its terminal is released. */
async function outputOf(
  turn: PlayedTurn,
  command: RawMessage,
): Promise<{ readonly output: string; readonly truncated: unknown; readonly entry: JournalEntry }> {
  const terminalId = await created(turn, command);
  await turn.ask('terminal/wait_for_exit', { terminalId });
  const { result, entry } = await turn.ask('terminal/output', { terminalId });
  await turn.ask('terminal/release', { terminalId });
  return { output: String(at(result, 'output')), truncated: at(result, 'truncated'), entry };
}

async function created(turn: PlayedTurn, command: RawMessage): Promise<string> {
  return terminalIn(await turn.ask('terminal/create', command));
}

/** A command that runs, and has printed `up`. */
async function begun(turn: PlayedTurn, command: RawMessage): Promise<string> {
  const terminalId = await created(turn, command);
  await printed(turn, terminalId);
  return terminalId;
}

function terminalIn(reply: Reply | undefined): string {
  const id = at(reply?.result, 'terminalId');
  const missing = 'terminals are offered, and terminal/create is not there';
  if (reply?.error?.code === -32_601) throw new Stopped(missing, { requirement: 'R217', evidence: [reply.entry] });
  if (typeof id !== 'string') throw new Stopped('the client lets no command be run');
  return id;
}

/** What `terminal/output` answers once `up` is in it. Stops the scenario if that never is. */
async function printed(turn: PlayedTurn, terminalId: string): Promise<Reply> {
  for (let tries = 0; tries < 200; tries += 1) {
    const reply = await turn.ask('terminal/output', { terminalId });
    if (reply.error !== undefined) break;
    if (String(at(reply.result, 'output')).includes('up')) return reply;
    await delay(25);
  }
  throw new Stopped('what the command printed is not shown while it runs', { requirement: 'R223', evidence: [] });
}

/** Whether the beating ends, soon. */
async function isStill({ folder }: ClientStage): Promise<boolean> {
  const size = async (): Promise<number> => {
    const found = await stat(join(folder, 'beat')).catch(() => undefined);
    if (found === undefined) throw new Stopped('what the command writes is not to be seen here');
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

/** Every few milliseconds a letter is appended to the file `beat`, which shows whether it still runs. Ends by itself in the end. */
function beating({ folder: cwd }: ClientStage): RawMessage {
  const code = `${beat}; setInterval(() => ${beat}, 20); setTimeout(() => process.exit(9), 20000); process.stdout.write('up')`;
  return { ...program(code), cwd };
}

const beat = "require('fs').appendFileSync('beat', '.')";

/** Runs until there is the file `go`, and then exits with 3. */
function waiting({ folder: cwd }: ClientStage): RawMessage {
  const look = "if (require('fs').existsSync('go')) process.exit(3)";
  const code = `process.stdout.write('up'); setInterval(() => { ${look} }, 20); setTimeout(() => process.exit(9), 20000)`;
  return { ...program(code), cwd };
}
