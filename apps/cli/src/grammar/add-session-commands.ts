import { type Command, Option } from 'commander';
import type { GlobalOptions } from '../options.ts';
import { dateIn, existingFolder, wholeNumber } from '../option-values.ts';
import { sessionOption } from './add-prompt-commands.ts';
import { sessionsHelp } from './help-texts.ts';
import type { Invocation } from './invocation.ts';

interface SessionOptions {
  readonly name?: string;
  readonly session?: string;
  readonly resumeSession?: string;
  readonly local?: true;
  readonly cursor?: string;
  readonly filterCwd?: string;
  readonly limit?: number;
  readonly tail?: number;
  readonly output?: string;
  readonly dryRun?: true;
  readonly before?: Date;
  readonly olderThan?: number;
  readonly damaged?: true;
}

/** Adds `sessions` and its commands. */
export function addSessionCommands(program: Command, invocation: Invocation): void {
  const sessions = program
    .command('sessions')
    .description('list, begin, show and end sessions')
    .addHelpText('after', sessionsHelp);
  const run = (work: (options: GlobalOptions) => Promise<number>): Promise<void> => invocation.run(program, work);
  addList(sessions, run);
  addBeginning(sessions, run);
  addReading(sessions, run);
  addWatching(sessions, run);
  addEnding(sessions, run);
  addKeeping(sessions, run);
}

type Run = (work: (options: GlobalOptions) => Promise<number>) => Promise<void>;

/** Adds a command about one session, which is named by an argument or by `--session`. */
function addNamed(sessions: Command, word: string, description: string): Command {
  return sessions
    .command(word)
    .description(description)
    .argument('[name]', 'the name of the session')
    .addOption(sessionOption());
}

const lazily = {
  list: () => import('../commands/sessions/list-sessions.ts'),
  begin: () => import('../commands/sessions/new-session.ts'),
  show: () => import('../commands/sessions/show-session.ts'),
  history: () => import('../commands/sessions/print-history.ts'),
  watch: () => import('../commands/sessions/watch-session.ts'),
  close: () => import('../commands/sessions/close-session.ts'),
  archive: () => import('../commands/sessions/archive-session.ts'),
  prune: () => import('../commands/sessions/prune-sessions.ts'),
};

function addList(sessions: Command, run: Run): void {
  sessions
    .command('list', { isDefault: true })
    .description('list the sessions the agent keeps, or those kept here if it keeps none')
    .option('--local', 'those kept here, in any case')
    .option('--cursor <cursor>', 'where the next page begins')
    .addOption(new Option('--filter-cwd <dir>', 'only those of this folder').argParser(existingFolder))
    .allowExcessArguments(false)
    .action((given: SessionOptions) => run(async (options) => (await lazily.list()).listSessions(given, options)));
}

function addBeginning(sessions: Command, run: Run): void {
  const add = (word: string, description: string): Command =>
    sessions
      .command(word)
      .description(description)
      .addOption(new Option('--name <name>', 'the name of the session; default: the session of the folder'))
      .addOption(sessionOption())
      .addOption(new Option('--resume-session <id>', 'continue with this session of the agent’s'))
      .allowExcessArguments(false);
  add('new', 'begin a session in this folder; the one that was there is closed').action((given: SessionOptions) =>
    run(async (options) => (await lazily.begin()).newSession({ ...given, name: given.name ?? given.session }, options)),
  );
  add('ensure', 'begin a session unless there is one').action((given: SessionOptions) =>
    run(async (options) =>
      (await lazily.begin()).ensureSession({ ...given, name: given.name ?? given.session }, options),
    ),
  );
}

function addReading(sessions: Command, run: Run): void {
  addNamed(sessions, 'show', 'say what is kept of a session').action(
    (name: string | undefined, { session }: SessionOptions) =>
      run(async (options) => (await lazily.show()).showSession(name ?? session, options)),
  );
  addNamed(sessions, 'history', 'print the last things that were said in a session, a line each')
    .addOption(new Option('--limit <count>', 'how many').argParser(wholeNumber).default(20))
    .action((name: string | undefined, { session, limit }: SessionOptions) =>
      run(async (options) => (await lazily.history()).printHistory(name ?? session, { limit, isFull: false }, options)),
    );
  addNamed(sessions, 'read', 'print everything that was said in a session')
    .addOption(new Option('--tail <count>', 'only the last so many').argParser(wholeNumber))
    .action((name: string | undefined, { session, tail }: SessionOptions) =>
      run(async (options) =>
        (await lazily.history()).printHistory(name ?? session, { limit: tail, isFull: true }, options),
      ),
    );
}

function addWatching(sessions: Command, run: Run): void {
  addNamed(sessions, 'watch', 'print what happens in a session from now on, until Ctrl-C').action(
    (name: string | undefined, { session }: SessionOptions) =>
      run(async (options) => (await lazily.watch()).watchSession(name ?? session, options)),
  );
}

function addEnding(sessions: Command, run: Run): void {
  addNamed(sessions, 'close', 'end a session; what was said in it is kept').action(
    (name: string | undefined, { session }: SessionOptions) =>
      run(async (options) => (await lazily.close()).close(name ?? session, options)),
  );
  addNamed(sessions, 'delete', 'end a session and delete what was said in it, also with the agent if it can').action(
    (name: string | undefined, { session }: SessionOptions) =>
      run(async (options) => (await lazily.close()).deleteSession(name ?? session, options)),
  );
}

function addKeeping(sessions: Command, run: Run): void {
  addNamed(sessions, 'export', 'write a session with all that was said in it to a file')
    .option('--output <file>', 'where to; default: stdout')
    .action((name: string | undefined, { session, output }: SessionOptions) =>
      run(async (options) => (await lazily.archive()).exportSession(name ?? session, output, options)),
    );
  sessions
    .command('import')
    .description('take a session over from a file')
    .argument('<file>', 'what export has written')
    .option('--name <name>', 'the name it gets here')
    .action((path: string, { name }: SessionOptions) =>
      run(async (options) => (await lazily.archive()).importSession({ path, name }, options)),
    );
  sessions
    .command('prune')
    .description('delete closed sessions')
    .option('--dry-run', 'only say which')
    .addOption(new Option('--before <date>', 'closed before this day').argParser(dateIn).conflicts('olderThan'))
    .addOption(new Option('--older-than <days>', 'closed so many days ago').argParser(wholeNumber))
    .addOption(
      new Option('--damaged', 'instead of closed ones: those whose record cannot be read').conflicts([
        'before',
        'olderThan',
      ]),
    )
    .option('--include-history', 'as always: a session is deleted with its history')
    .allowExcessArguments(false)
    .action((given: SessionOptions) => run(async (options) => (await lazily.prune()).pruneSessions(given, options)));
}
