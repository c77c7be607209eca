import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Stopped } from '../../../wire/stopped.ts';
import type { RawMessage } from '../../../wire/journal.ts';
import { asMessage, type Reply } from '../../../wire/messages.ts';
import type { ClientScenario } from '../../client-scenario.ts';
import type { ClientStage } from '../../client-stage.ts';
import { type HostTurn, hostTurn } from './host-turn.ts';

const offered = { needs: ['terminal'] };

/** Commands that an agent runs through its client. */
export const terminalsScenarios: readonly ClientScenario[] = [
  {
    id: 'terminals/life',
    title: 'a terminal is there at once, returns the output of its command so far, and reports its exit',
    covers: ['R217', 'R218', 'R223', 'R224'],
    run: async (stage) => void (await hostTurn(stage, offered, (turn) => live(stage, turn))),
  },
  {
    id: 'terminals/environment',
    title: 'a command runs in the folder that is wanted, with the variables that are wanted besides others',
    covers: ['R217', 'R220'],
    run: async (stage) => {
      const cwd = join(stage.folder, 'sub folder');
      await mkdir(cwd);
      const code = `process.stdout.write(JSON.stringify([process.cwd(), process.env.CHECK_ONE, process.env.CHECK_TWO, process.env.PATH !== undefined]))`;
      const [one, two] = ['a "quoted" ä $HOME', ''];
      const env = [
        { name: 'CHECK_ONE', value: one },
        { name: 'CHECK_TWO', value: two },
      ];
      await hostTurn(stage, offered, async (turn) => {
        const { output, entry } = await outputOf(turn, { ...program(code), cwd, env });
        const fault =
          !output.includes(JSON.stringify([one, two, true]).slice(1)) &&
          `of the variables, and of PATH, the command saw ${output}`;
        stage.see.check('R220', fault, entry);
        stage.see.check('R217', !output.includes(JSON.stringify(cwd)) && `the command ran elsewhere: ${output}`, entry);
      });
    },
  },
  {
    id: 'terminals/output-limit',
    title: 'of more output than is wanted the end is kept, in whole letters',
    covers: ['R221', 'R222', 'R223'],
    run: async (stage) => {
      await hostTurn(stage, offered, async (turn) => {
        await limited(stage, turn, { text: 'abcdefghijklmnopqrstuvwxyz', limit: 10, requirement: 'R221' });
        await limited(stage, turn, { text: '€'.repeat(20), limit: 10, requirement: 'R222' });
        await limited(stage, turn, { text: '🌍'.repeat(20), limit: 11, requirement: 'R222' });
        const whole = await outputOf(turn, { ...printing('abc'), outputByteLimit: 100 });
        const fault =
          (whole.output !== 'abc' || whole.truncated === true) &&
          'output that was short enough is not whole, or called truncated';
        stage.see.check('R223', fault, whole);
      });
    },
  },
  {
    id: 'terminals/signal',
    title: 'a command that dies of a signal is reported to have ended by it',
    covers: ['R224'],
    run: async (stage) => {
      if (process.platform === 'win32') throw new Stopped('this system has no signals');
      await hostTurn(stage, offered, async (turn) => {
        const terminalId = await created(turn, program("process.kill(process.pid, 'SIGKILL')"));
        const reply = await turn.ask('terminal/wait_for_exit', { terminalId });
        const { exitCode = null, signal = null } = asMessage(reply.result) ?? {};
        // As a shell in between has it.
        const isShell = exitCode === 128 + 9;
        const fault =
          !isShell &&
          (exitCode !== null || typeof signal !== 'string' || signal === '') &&
          `the end by SIGKILL is reported as exitCode ${JSON.stringify(exitCode)} and signal ${JSON.stringify(signal)}`;
        stage.see.check('R224', fault, reply);
      });
    },
  },
  {
    id: 'terminals/kill',
    title: 'a kill ends a command and all waits for it, and its terminal stays',
    covers: ['R224', 'R225', 'R231'],
    run: async (stage) => void (await hostTurn(stage, offered, (turn) => killed(stage, turn))),
  },
  {
    id: 'terminals/release',
    title: 'a release ends a command and all waits for it, and its terminal is gone',
    covers: ['R227', 'R228', 'R231'],
    run: async (stage) => void (await hostTurn(stage, offered, (turn) => released(stage, turn))),
  },
  {
    id: 'terminals/other-session',
    title: 'a terminal is not there for other sessions, nor is one that was never created',
    covers: ['R232'],
    run: async (stage) => {
      await hostTurn(stage, offered, async (turn) => {
        const terminalId = await created(turn, waiting(stage));
        await printed(turn, terminalId, 'up');
        const sessionId = `${turn.sessionId}-of-others`;
        for (const method of ['terminal/output', 'terminal/kill', 'terminal/release']) {
          const { error } = await turn.agent.ask(method, { sessionId, terminalId });
          // If it succeeds, the frames show it.
          if (error !== undefined) stage.see.held('R232');
        }
        await turn.ask('terminal/release', { terminalId });
      });
    },
  },
  {
    id: 'terminals/wait-timeout',
    title: 'a wait that is over before the command is does not say that it ended',
    covers: ['R224', 'R325'],
    run: async (stage) => {
      await hostTurn(stage, offered, async (turn) => {
        const terminalId = await created(turn, waiting(stage));
        await printed(turn, terminalId, 'up');
        const early = await turn.tryToAsk('terminal/wait_for_exit', { terminalId, timeout: 100 }, 600);
        judgeEarly(stage, early);
        await turn.ask('terminal/release', { terminalId });
      });
    },
  },
];

async function live(stage: ClientStage, turn: HostTurn): Promise<void> {
  const { see, folder } = stage;
  const reply = await turn.tryToAsk('terminal/create', waiting(stage));
  if (!see.check('R218', reply === undefined && 'it was not answered while its command ran')) return;
  const terminalId = terminalIn(reply);
  const running = await printed(turn, terminalId, 'up');
  const { exitStatus = null } = asMessage(running.result) ?? {};
  see.check('R223', exitStatus !== null && 'there is an exitStatus while the command runs', running);
  const exit = turn.tryToAsk('terminal/wait_for_exit', { terminalId });
  const isEarly = await Promise.race([exit.then(() => true), delay(200).then(() => false)]);
  await writeFile(join(folder, 'go'), '');
  judgeExit(stage, { isEarly, exit: await exit });
  const over = await turn.ask('terminal/output', { terminalId });
  const { output, exitStatus: status } = asMessage(over.result) ?? {};
  const fault =
    (!String(output).includes('up') || asMessage(status)?.['exitCode'] !== 3) &&
    'once the command has ended, its output or its exitStatus are not there';
  see.check('R223', fault, over);
  await useUp(stage, turn, terminalId);
}

function judgeExit({ see }: ClientStage, { isEarly, exit }: { isEarly: boolean; exit: Reply | undefined }): void {
  const code = asMessage(exit?.result)?.['exitCode'];
  const late = exit === undefined ? 'it was not answered, though the command has ended' : undefined;
  const wrong = code === 3 ? undefined : `the exit code 3 came as ${JSON.stringify(code)}`;
  const fault = isEarly ? 'it was answered while the command ran' : (late ?? wrong);
  see.check('R224', fault, exit);
}

/** The last two of the five methods: the others were of use before. */
async function useUp({ see }: ClientStage, { ask }: HostTurn, terminalId: string): Promise<void> {
  const replies = [await ask('terminal/kill', { terminalId }), await ask('terminal/release', { terminalId })];
  const unknown = replies.filter(({ error }) => error?.code === -32_601);
  see.check('R217', unknown.length > 0 && 'terminals are offered, and not all five methods are there', unknown);
}

async function killed(stage: ClientStage, turn: HostTurn): Promise<void> {
  const terminalId = await created(turn, beating(stage));
  await printed(turn, terminalId, 'up');
  const waits = [1, 2].map(() => turn.tryToAsk('terminal/wait_for_exit', { terminalId }));
  const kill = await turn.ask('terminal/kill', { terminalId });
  const isOver = await isStill(stage);
  stage.see.check('R225', (kill.error !== undefined || !isOver) && 'the command continues', kill);
  if (isOver) {
    const exits = await Promise.all(waits);
    stage.see.check('R231', exits.includes(undefined) && 'a wait for it is not answered');
    judgeViolentEnd(stage, exits[0]);
  }
  const later = [
    await turn.ask('terminal/output', { terminalId }),
    await turn.ask(isOver ? 'terminal/wait_for_exit' : 'terminal/output', { terminalId }),
  ];
  const lost = later.filter(({ error }) => error !== undefined);
  stage.see.check('R225', lost.length > 0 && 'after the kill its terminal is not there any more', lost);
  await turn.ask('terminal/release', { terminalId });
}

async function released(stage: ClientStage, turn: HostTurn): Promise<void> {
  const terminalId = await created(turn, beating(stage));
  await printed(turn, terminalId, 'up');
  const wait = turn.tryToAsk('terminal/wait_for_exit', { terminalId });
  const release = await turn.ask('terminal/release', { terminalId });
  const isOver = await isStill(stage);
  stage.see.check('R227', (release.error !== undefined || !isOver) && 'the command continues', release);
  if (isOver) stage.see.check('R231', (await wait) === undefined && 'a wait for it is not answered');
  for (const method of ['terminal/output', 'terminal/kill', 'terminal/wait_for_exit']) {
    const { error } = await turn.ask(method, { terminalId });
    // If it succeeds, the frames show it.
    if (error !== undefined) stage.see.held('R228');
  }
}

/** What was killed ended by a signal, or with a code that says so. */
function judgeViolentEnd({ see }: ClientStage, exit: Reply | undefined): void {
  if (exit?.error !== undefined || exit === undefined) return;
  const { exitCode = null, signal = null } = asMessage(exit.result) ?? {};
  const isReported = typeof signal === 'string' || (typeof exitCode === 'number' && exitCode !== 0);
  const fault =
    !isReported &&
    `the end of a command that was killed is reported as exitCode ${JSON.stringify(exitCode)} and signal ${JSON.stringify(signal)}`;
  see.check('R224', fault, exit);
}

function judgeEarly({ see }: ClientStage, early: Reply | undefined): void {
  if (early === undefined || early.error !== undefined) {
    see.held('R224');
    return see.unseen('R325', 'the client waits for the end of the command: the protocol knows no timeout there');
  }
  const { exitCode = null, signal = null } = asMessage(early.result) ?? {};
  const isHonest = exitCode === null && signal === null;
  see.check('R224', !isHonest && 'the command runs, and is reported to have ended', early);
  if (isHonest) see.held('R325');
}

interface Limited {
  readonly text: string;
  /** In bytes. */
  readonly limit: number;
  readonly requirement: 'R221' | 'R222';
}

async function limited(stage: ClientStage, turn: HostTurn, { text, limit, requirement }: Limited): Promise<void> {
  const { output, truncated, entry } = await outputOf(turn, { ...printing(text), outputByteLimit: limit });
  const isCut = output !== '' && text.endsWith(output) && Buffer.byteLength(output) <= limit && truncated === true;
  const fault =
    !isCut &&
    `of ${JSON.stringify(text)} with a limit of ${String(limit)} bytes came ${JSON.stringify(output)} with truncated ${String(truncated)}`;
  stage.see.check(requirement, fault, entry);
}

/** What a command printed when it has ended. Its terminal is released. */
async function outputOf(
  turn: HostTurn,
  command: RawMessage,
): Promise<{ readonly output: string; readonly truncated: unknown; readonly entry: Reply['entry'] }> {
  const terminalId = await created(turn, command);
  await turn.ask('terminal/wait_for_exit', { terminalId });
  const { result, entry } = await turn.ask('terminal/output', { terminalId });
  await turn.ask('terminal/release', { terminalId });
  const { output, truncated } = asMessage(result) ?? {};
  return { output: String(output), truncated, entry };
}

async function created({ ask }: HostTurn, command: RawMessage): Promise<string> {
  return terminalIn(await ask('terminal/create', command));
}

function terminalIn(reply: Reply | undefined): string {
  const id = asMessage(reply?.result)?.['terminalId'];
  if (reply?.error?.code === -32_601)
    throw new Stopped('terminals are offered, and terminal/create is not there', {
      requirement: 'R217',
      evidence: [reply.entry],
    });
  if (typeof id !== 'string') throw new Stopped('the client lets no command be run');
  return id;
}

/** What `terminal/output` answers once a text is in it. Stops the scenario if that never is. */
async function printed({ ask }: HostTurn, terminalId: string, text: string): Promise<Reply> {
  for (let tries = 0; tries < 200; tries += 1) {
    const reply = await ask('terminal/output', { terminalId });
    if (reply.error !== undefined) break;
    if (String(asMessage(reply.result)?.['output']).includes(text)) return reply;
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
  return program(`process.stdout.write(${JSON.stringify(text)})`);
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
