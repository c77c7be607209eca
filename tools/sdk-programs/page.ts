import { type StepName, stepNames } from './program.ts';
import type { TypeErrors } from './type-check.ts';

/** A step with the program's own SDK, and with ours. */
export interface StepPair {
  readonly official: readonly string[];
  readonly turnwire: readonly string[];
  /** Kinds of messages that only one of the two runs exchanged. */
  readonly onlyOfficial: readonly string[];
  readonly onlyTurnwire: readonly string[];
}

/** The results of one program. */
export interface ProgramResult {
  readonly name: string;
  /** The installed packages with exact versions. */
  readonly packages: readonly string[];
  /** The version of the official SDK that the program chose. */
  readonly sdk: string;
  /** ISO 8601. */
  readonly day: string;
  /** Absent if the program ships no types. */
  readonly types?: TypeErrors | undefined;
  readonly steps: Readonly<Partial<Record<StepName, StepPair>>>;
}

const begin = '<!-- programs: written by npm run real-programs -- --record -->';
const end = '<!-- end of the programs -->';

/** The verdict is `same` if both sides did the step and exchanged the same kinds of messages. */
export function verdict(pair: StepPair | undefined): string {
  if (pair === undefined) return '–';
  const { official, turnwire, onlyOfficial, onlyTurnwire } = pair;
  if (turnwire.length > 0) return official.length > 0 ? 'fails with both' : 'FAILED';
  if (official.length > 0) return 'only with ours';
  return onlyOfficial.length + onlyTurnwire.length > 0 ? 'differs' : 'same';
}

/** The compiler's verdict about the program's types with our package. */
export function typesVerdict(types: TypeErrors | undefined): string {
  if (types === undefined) return '–';
  if (types.others.length > 0) return 'FAILED';
  return types.asNewer.length > 0 ? 'as with 1.9' : 'same';
}

/**
 * Replaces the table in a page.
 * @throws Error if the page has no section for it
 */
export function withPrograms(page: string, results: readonly ProgramResult[]): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no table between ${begin} and ${end}`);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const head = ['program', 'its SDK', ...stepNames, 'types', 'tried on'];
  const rows = results.map(({ packages: [first = ''], sdk, day, steps, types }) =>
    line([first, sdk, ...stepNames.map((name) => verdict(steps[name])), typesVerdict(types), day]),
  );
  return `${page.slice(0, from)}${[begin, '', line(head), line(head.map(() => '---')), ...rows, '', ''].join('\n')}${page.slice(to)}`;
}
