import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrokenRequirement, type CheckedSubject, type Reviews, withResults } from './check-page.ts';
import { root, runNode, tool } from '../run.mjs';

/** The parts of a `turnwire check --json` report that are kept. */
export interface CheckReport {
  readonly madeAt: string;
  readonly protocolCommit: string;
  readonly introduction?: { readonly name?: string; readonly version?: string };
  readonly unreachable?: string;
  readonly total: CheckedSubject['counts'];
  readonly requirements: readonly (Omit<BrokenRequirement, 'messages'> & {
    readonly outcome: string;
    readonly findings: readonly { readonly message: string }[];
  })[];
}

/** Extracts the results to keep from a report. */
export function checkedSubject(
  subject: Pick<CheckedSubject, 'name' | 'kind' | 'packages'>,
  { introduction, madeAt, protocolCommit, unreachable, total, requirements }: CheckReport,
): CheckedSubject {
  const { passed, failed, 'not exercised': left } = total;
  return {
    ...subject,
    introduced: introduction && [introduction.name, introduction.version].filter(Boolean).join(' '),
    day: madeAt.slice(0, 10),
    protocol: protocolCommit,
    counts: { passed, failed, 'not exercised': left },
    unreachable,
    broken: requirements
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ id, level, behaviour, sameCauseAs, findings }) => {
        return {
          id,
          level,
          behaviour,
          messages: [...new Set(findings.map(({ message }) => lasting(message)))],
          sameCauseAs,
        };
      }),
  };
}

/** A message without the name of the run's temporary folder. */
function lasting(message: string): string {
  return message.replaceAll(/[^"\s]*\/turnwire-\w{6}(?=\/)/g, '…');
}

const results = join(root, 'docs/conformance.json');
const page = join(root, 'docs/conformance.md');
const reviewsFile = new URL('reviews.json', import.meta.url);

/** Replaces the earlier results of these subjects, sorted by name, and writes the page. */
export async function recordResults(checked: readonly CheckedSubject[], names: readonly string[]): Promise<void> {
  const known = new Map([...(await recorded()), ...checked].map((each) => [each.name, each]));
  const subjects = names.flatMap((name) => known.get(name) ?? []);
  await writeFile(results, JSON.stringify(subjects));
  await runNode([tool.oxfmt, results]);
  await writeFile(page, withResults(await readFile(page, 'utf8'), subjects, await readReviews()));
}

async function recorded(): Promise<readonly CheckedSubject[]> {
  return existsSync(results) ? (JSON.parse(await readFile(results, 'utf8')) as readonly CheckedSubject[]) : [];
}

async function readReviews(): Promise<Reviews> {
  return JSON.parse(await readFile(reviewsFile, 'utf8')) as Reviews;
}
