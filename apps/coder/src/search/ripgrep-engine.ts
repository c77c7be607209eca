import { unfitIgnoreFile } from '@turnwire/machine';
import { ripgrepPrograms, ripgrepRecords, RipgrepUnusable } from '../process/ripgrep.ts';
import type { RipgrepRun } from '../process/ripgrep.ts';
import { binaryWarning } from './file-engine.ts';
import type { FileEngine, FoundFile, FoundLine, SearchScope, TextQuery } from './file-engine.ts';

/**
 * Matches as ripgrep finds them. It reads ignore files itself, of any type: if one is a device, a pipe or too long, ripgrep is
 * not run.
 * @param programs the paths of ripgrep to try, in order. Default: the installed package's, then `rg` on the PATH
 */
export function ripgrepEngine(programs?: readonly string[]): FileEngine {
  return {
    async *matches(scope, query) {
      const unfit = scope.file === undefined ? await unfitIgnoreFile(scope) : undefined;
      if (unfit !== undefined) throw new RipgrepUnusable(unfit.replace(/\.$/, ''));
      const args = [...searchArguments(query), ...globArguments(scope), '--', scope.file ?? '.'];
      yield* filesIn(ripgrepRecords(await runOf(scope, { args, programs })), scope, query);
    },
  };
}

async function runOf(
  { folder, signal, report }: SearchScope,
  { args, programs }: { readonly args: readonly string[]; readonly programs: readonly string[] | undefined },
): Promise<RipgrepRun> {
  return { args, folder, signal, report, programs: programs ?? (await ripgrepPrograms()) };
}

// Git's own files are not part of the project. The last matching glob decides.
function globArguments({ globs = [] }: SearchScope): readonly string[] {
  return [...globs, '!.git'].map((glob) => `--glob=${glob}`);
}

function searchArguments({ text, regex, ignoreCase, multiline, context = 0, perFile }: TextQuery): readonly string[] {
  return [
    '--json',
    '--crlf',
    `--max-count=${perFile}`,
    `--context=${context}`,
    ...(ignoreCase ? ['--ignore-case'] : []),
    ...(multiline ? ['--multiline'] : []),
    ...(regex ? [] : ['--fixed-strings']),
    `--regexp=${text}`,
  ];
}

/** A string in ripgrep's JSON: text, or Base64 if it is not UTF-8. */
type Data = { readonly text: string } | { readonly bytes: string };

type Message =
  | { readonly type: 'begin'; readonly data: { readonly path: Data } }
  | {
      readonly type: 'match' | 'context';
      readonly data: {
        readonly lines: Data;
        readonly line_number: number;
        readonly submatches: readonly { readonly start: number; readonly end: number }[];
      };
    }
  | { readonly type: 'end'; readonly data: { readonly path: Data; readonly binary_offset: number | null } }
  | { readonly type: 'summary' };

async function* filesIn(
  records: AsyncIterable<Buffer>,
  { report }: SearchScope,
  { perFile }: TextQuery,
): AsyncGenerator<FoundFile, void> {
  let lines: FoundLine[] = [];
  for await (const record of records) {
    const message = parse(record);
    if (message === undefined) lines.push({ line: undefined, text: '[a line too long to be shown]', match: 0 });
    else if (message.type === 'begin') lines = [];
    else if (message.type === 'match' || message.type === 'context') lines.push(...linesOf(message));
    else if (message.type === 'end') {
      const path = withSlashes(toBytes(message.data.path).toString());
      if (message.data.binary_offset !== null) report(`${path}: ${binaryWarning}`);
      else yield { path, lines: firstMatches(lines, perFile) };
    }
  }
}

/** Multi-line matches can have more lines than requested. */
function firstMatches(lines: readonly FoundLine[], most: number): readonly FoundLine[] {
  let matches = 0;
  const tooMany = lines.findIndex(({ match }) => match !== undefined && ++matches > most);
  return tooMany === -1 ? lines : lines.slice(0, tooMany);
}

function parse(record: Buffer): Message | undefined {
  try {
    return JSON.parse(record.toString()) as Message;
  } catch {
    return undefined;
  }
}

function linesOf({ type, data }: Extract<Message, { type: 'match' | 'context' }>): readonly FoundLine[] {
  const bytes = toBytes(data.lines);
  const texts = bytes
    .toString()
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);
  const first = bytes.subarray(0, data.submatches[0]?.start ?? 0).toString().length;
  return texts.map((text, index) => ({
    line: data.line_number + index,
    text,
    match: type === 'context' ? undefined : index === 0 ? first : 0,
  }));
}

function toBytes(data: Data): Buffer {
  return 'text' in data ? Buffer.from(data.text) : Buffer.from(data.bytes, 'base64');
}

function withSlashes(path: string): string {
  const plain = path.replace(/^\.[/\\]/, '');
  return process.platform === 'win32' ? plain.replaceAll('\\', '/') : plain;
}
