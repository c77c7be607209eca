import { type Command, Option } from 'commander';
import { dateIn, existingFolder, wholeNumber } from '../option-values.ts';
import { footer } from './help-footer.ts';
import { sessionOption } from './add-prompt-commands.ts';
import { sessionsHelp } from './help-texts.ts';
import type { Invocation } from './invocation.ts';

interface SessionOptions {
  readonly name?: string;
  readonly session?: string;
  readonly resumeSession?: string;
  readonly all?: true;
  readonly local?: true;
  readonly cursor?: string;
  readonly filterCwd?: string;
  readonly limit?: number;
  readonly tail?: number;
  readonly output?: string;
  readonly dryRun?: true;
  readonly before?: Date;
  readonly olderThan?: number;
  readonly withoutLast?: number;
}

/** Defines the command `sessions` and its subcommands. */
export function addSessions(sessions: Command, invocation: Invocation): void {
  sessions.description('list, create, show and end sessions').addHelpText('after', footer(sessionsHelp));
  addList(sessions, invocation);
  addSearch(sessions, invocation);
  addBeginning(sessions, invocation);
  addReading(sessions, invocation);
  addEnding(sessions, invocation);
  addExport(sessions, invocation);
  addKeeping(sessions, invocation);
}

/** Adds a command for one session, named by an argument or by `--session`. */
function addNamed(sessions: Command, word: string, description: string): Command {
  return sessions
    .command(word)
    .description(description)
    .argument('[name]', 'the name of the session')
    .addOption(sessionOption());
}

const lazily = {
  search: () => import('../commands/sessions/search-sessions.ts'),
  list: () => import('../commands/sessions/list-sessions.ts'),
  begin: () => import('../commands/sessions/new-session.ts'),
  show: () => import('../commands/sessions/show-session.ts'),
  history: () => import('../commands/sessions/print-history.ts'),
  watch: () => import('../commands/sessions/watch-session.ts'),
  close: () => import('../commands/sessions/close-session.ts'),
  archive: () => import('../commands/sessions/archive-session.ts'),
  export: () => import('../commands/sessions/export-session.ts'),
  prune: () => import('../commands/sessions/prune-sessions.ts'),
};

function addList(sessions: Command, invocation: Invocation): void {
  sessions
    .command('list', { isDefault: true })
    .description(
      'list the sessions of this folder; in a pipe, the agent’s own list, or the stored sessions if the agent has no list',
    )
    .option('--all', 'at a terminal: list the sessions of all folders')
    .option('--local', 'list only sessions stored here, without asking the agent')
    .option('--cursor <cursor>', 'the cursor of the next page')
    .addOption(new Option('--filter-cwd <dir>', 'list only sessions of this folder').argParser(existingFolder))
    .allowExcessArguments(false)
    .action((args: SessionOptions) =>
      invocation.run(async (options) => (await lazily.list()).listSessions(args, options)),
    );
}

function addSearch(sessions: Command, invocation: Invocation): void {
  sessions
    .command('search')
    .description('find stored sessions by their titles, prompts, messages and commands')
    .argument('<words...>', 'words of one text, or their beginnings, in any order')
    .addOption(new Option('--limit <count>', 'the number of sessions').argParser(wholeNumber).default(20))
    .action((words: readonly string[], { limit = 20 }: SessionOptions) =>
      invocation.run(async (options) => (await lazily.search()).searchSessions({ words, limit }, options)),
    );
}

function addBeginning(sessions: Command, invocation: Invocation): void {
  const add = (word: string, description: string): Command =>
    sessions
      .command(word)
      .description(description)
      .addOption(new Option('--name <name>', 'the name of the session; default: the session of the folder'))
      .addOption(sessionOption())
      .addOption(new Option('--resume-session <id>', 'continue this session of the agent, by the agent’s id'))
      .allowExcessArguments(false);
  add('new', 'create a session in this folder, and close the existing one').action((args: SessionOptions) =>
    invocation.run(async (options) =>
      (await lazily.begin()).newSession({ ...args, name: args.name ?? args.session }, options),
    ),
  );
  add('ensure', 'create a session unless there is one').action((args: SessionOptions) =>
    invocation.run(async (options) =>
      (await lazily.begin()).ensureSession({ ...args, name: args.name ?? args.session }, options),
    ),
  );
  addNamed(sessions, 'fork', 'create a session with the history of another one, if the agent supports it')
    .requiredOption('--name <name>', 'the name of the new session')
    .addOption(new Option('--without-last <count>', 'omit this many of the last prompts').argParser(wholeNumber))
    .action((source: string | undefined, { session, name = '', withoutLast }: SessionOptions) =>
      invocation.run(async (options) => {
        const { forkSession } = await import('../commands/sessions/fork-session.ts');
        return forkSession({ source: source ?? session, name, withoutLast }, options);
      }),
    );
}

function addReading(sessions: Command, invocation: Invocation): void {
  addNamed(sessions, 'show', 'show what is stored about a session').action(
    (name: string | undefined, { session }: SessionOptions) =>
      invocation.run(async (options) => (await lazily.show()).showSession(name ?? session, options)),
  );
  addNamed(sessions, 'history', 'print the last entries of a session’s history, one line each')
    .addOption(new Option('--limit <count>', 'the number of entries').argParser(wholeNumber).default(20))
    .action((name: string | undefined, { session, limit }: SessionOptions) =>
      invocation.run(async (options) =>
        (await lazily.history()).printHistory(name ?? session, { limit, isFull: false }, options),
      ),
    );
  addNamed(sessions, 'read', 'print the whole history of a session')
    .addOption(new Option('--tail <count>', 'print only this many of the last entries').argParser(wholeNumber))
    .action((name: string | undefined, { session, tail }: SessionOptions) =>
      invocation.run(async (options) =>
        (await lazily.history()).printHistory(name ?? session, { limit: tail, isFull: true }, options),
      ),
    );
  addNamed(sessions, 'watch', 'print the new events of a session until Ctrl-C').action(
    (name: string | undefined, { session }: SessionOptions) =>
      invocation.run(async (options) => (await lazily.watch()).watchSession(name ?? session, options)),
  );
}

function addEnding(sessions: Command, invocation: Invocation): void {
  addNamed(sessions, 'close', 'end a session and keep its history').action(
    (name: string | undefined, { session }: SessionOptions) =>
      invocation.run(async (options) => (await lazily.close()).close(name ?? session, options)),
  );
  addNamed(sessions, 'delete', 'end a session and delete its history, also with the agent if it supports that').action(
    (name: string | undefined, { session }: SessionOptions) =>
      invocation.run(async (options) => (await lazily.close()).deleteSession(name ?? session, options)),
  );
}

function addExport(sessions: Command, invocation: Invocation): void {
  sessions
    .command('export')
    .description('write a session with its history: JSON for import, or a document with --format md or html')
    .argument('[session]', 'its name, the beginning of its id, or words of it')
    .addOption(sessionOption())
    .option('--output <file>', 'the file to write; default: stdout. The endings .md and .html set the format')
    .action((name: string | undefined, { session, output }: SessionOptions) =>
      invocation.run(
        async (options) => (await lazily.export()).exportSession(name ?? session, output, options),
        'documents',
      ),
    );
}

function addKeeping(sessions: Command, invocation: Invocation): void {
  sessions
    .command('import')
    .description('import a session from a file')
    .argument('<file>', 'a file written by "sessions export"')
    .option('--name <name>', 'the name of the imported session')
    .action((path: string, { name }: SessionOptions) =>
      invocation.run(async (options) => (await lazily.archive()).importSession({ path, name }, options)),
    );
  sessions
    .command('prune')
    .description('delete closed sessions')
    .option('--dry-run', 'only list them')
    .addOption(new Option('--before <date>', 'closed before this day').argParser(dateIn).conflicts('olderThan'))
    .addOption(new Option('--older-than <days>', 'closed at least this many days ago').argParser(wholeNumber))
    .option('--include-history', 'no effect: a session is always deleted with its history')
    .allowExcessArguments(false)
    .action((args: SessionOptions) =>
      invocation.run(async (options) => (await lazily.prune()).pruneSessions(args, options)),
    );
}
