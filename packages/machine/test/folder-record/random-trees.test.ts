import { execFileSync } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { randomRuns } from '../../../../tools/random-runs.ts';
import { type ChosenChange, FolderRecord, type Hunk } from '../../src/folder-record/index.ts';
import { mixed, putTree, randomTree } from './random-trees.ts';

let base = '';
let folder = '';
let repository = '';

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'turnwire-trees-'));
  folder = join(base, 'project');
  await mkdir(folder);
  const nested = join(base, 'nested');
  execFileSync('git', ['init', '--quiet', nested]);
  const who = ['-c', 'user.name=u', '-c', 'user.email=e'];
  execFileSync('git', [...who, 'commit', '--quiet', '--allow-empty', '-m', 'first'], { cwd: nested });
  repository = join(nested, '.git');
});
afterEach(() => rm(base, { recursive: true, force: true, maxRetries: 3 }));

/** git itself, with an index and objects of its own. */
class Mirror {
  readonly #env: NodeJS.ProcessEnv;

  constructor() {
    const own = join(base, 'mirror');
    execFileSync('git', ['init', '--quiet', '--bare', own]);
    this.#env = {
      ...process.env,
      ...{ GIT_DIR: own, GIT_WORK_TREE: folder, GIT_LITERAL_PATHSPECS: '1' },
      ...{ GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1' },
    };
  }

  async prepare(): Promise<void> {
    await mkdir(join(base, 'mirror', 'info'), { recursive: true });
    await writeFile(join(base, 'mirror', 'info', 'attributes'), '* -text -filter -ident -working-tree-encoding\n');
    await writeFile(join(base, 'mirror', 'info', 'exclude'), 'node_modules/\n.venv/\n/nested/\n');
  }

  run(...words: readonly string[]): string {
    const quiet = ['-c', 'advice.addEmbeddedRepo=false', '-c', 'core.bare=false'];
    return execFileSync('git', [...quiet, ...words], {
      cwd: folder,
      env: this.#env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** The id of the tree with the files as they are. */
  tree(): string {
    this.run('add', '--all');
    return this.run('write-tree').trimEnd();
  }

  /** The changed paths with the numbers of added and removed lines, `-` for a binary file. */
  changes(before: string, after: string): readonly string[] {
    const listed = this.run('diff', '--no-renames', '--numstat', '-z', before, after);
    return listed.split('\0').slice(0, -1);
  }
}

/** Every file and link of the folder, ignored ones and those of nested repositories too. */
async function everything(above = ''): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const entry of await readdir(join(folder, above), { withFileTypes: true })) {
    const name = above + entry.name;
    const path = join(folder, name);
    if (entry.isSymbolicLink()) all.set(name, `link ${await readlink(path)}`);
    if (entry.isFile())
      all.set(name, `${(await lstat(path)).mode & 0o111 ? 'x' : '-'} ${await readFile(path, 'base64')}`);
    if (entry.isDirectory() && entry.name !== '.git')
      for (const [inside, content] of await everything(`${name}/`)) all.set(inside, content);
  }
  return all;
}

/** Each one has five trees: before and after a turn, after a later change, after the undo, and after the review. */
// Each takes seconds: 10,000 trees are TURNWIRE_FUZZ_RUNS=100.
const cases = randomRuns({ usual: 6, whole: 10 });
const seed = Number(process.env['TURNWIRE_FUZZ_SEED'] ?? 20261128);

for (const isRepository of [false, true])
  test(
    `random trees ${isRepository ? 'in' : 'outside of'} a repository are recorded, reviewed and undone as git itself sees them`,
    async () => {
      if (isRepository) execFileSync('git', ['init', '--quiet', folder]);
      const record = new FolderRecord(folder, join(base, 'records'));
      await record.state();
      const mirror = new Mirror();
      await mirror.prepare();
      const indexes = (): readonly string[] =>
        [...readdirSync(join(base, 'records')).map((name) => join('records', name)), 'mirror'].map((each) =>
          join(base, each, 'index'),
        );
      let number = 0;
      const turn = async (put: () => Promise<void>) => {
        const begun = await record.begin({ id: String(++number), sessionId: 's', agent: 'a', prompt: 'p' });
        await put();
        await record.end(begun);
        return (await record.turns()).find(({ id }) => id === begun.id);
      };
      await fc.assert(
        fc.asyncProperty(
          fc.tuple(randomTree, randomTree, randomTree),
          fc.infiniteStream(fc.boolean()),
          async ([one, two, three], coins) => {
            const flip = (): boolean => coins.next().value === true;
            // A file that an index has is recorded although it is ignored later.
            for (const index of indexes()) await rm(index, { force: true });
            // The turn.
            await putTree(folder, one, repository);
            const first = await everything();
            const before = mirror.tree();
            const other = mixed(one, two, flip);
            let after = '';
            const recorded = await turn(async () => {
              await putTree(folder, other, repository);
              after = mirror.tree();
            });
            const ended = await everything();
            const files = recorded ? await record.changesOf(recorded) : [];
            expect({
              states: recorded ? [recorded.before, recorded.after] : [before, before],
              changes: files.map(({ path }) => path),
            }).toEqual({ states: [before, after], changes: mirror.changes(before, after).map(pathOf) });
            const sizes = files.map(({ path, added, removed, hunks }) =>
              hunks.length > 0 ? `${added}\t${removed}\t${path}` : path,
            );
            const theirs = mirror.changes(before, after);
            expect(sizes).toEqual(theirs.map((line, at) => (files[at]?.hunks.length ? line : pathOf(line))));
            // The turn is undone, after later changes.
            await putTree(folder, mixed(other, three, flip), repository);
            const later = await everything();
            const undone = recorded && (await record.undo(recorded));
            const now = await everything();
            const ours = new Set(files.map(({ path }) => path));
            const left = new Set(undone?.failures.map(({ path }) => path));
            const wrong = [...new Set([...later.keys(), ...now.keys(), ...first.keys()])].filter((path) => {
              if (!ours.has(path) || left.has(path)) return now.get(path) !== later.get(path);
              if (later.get(path) === ended.get(path)) return now.get(path) !== first.get(path);
              // Merged: the later change is not lost.
              return now.get(path) === ended.get(path) && later.get(path) !== first.get(path);
            });
            expect(wrong).toEqual([]);
            // After some hunks are accepted and the others rejected, the review is empty.
            await putTree(folder, other, repository);
            // The record lists an ignored file as deleted if it was removed and made again. Rejecting that changes nothing.
            const present = await everything();
            const unreviewed = (await record.changes()).filter(({ path, after: end }) => end || !present.has(path));
            const accepted: ChosenChange[] = [];
            const rejected: ChosenChange[] = [];
            for (const file of unreviewed) {
              const yes = new Set<Hunk>(file.hunks.filter(flip));
              const no = new Set<Hunk>(file.hunks.filter((hunk) => !yes.has(hunk)));
              const isAccepted = file.hunks.length > 0 ? no.size === 0 : flip();
              // A mode is not part of a hunk.
              const isWhole = yes.size === 0 || no.size === 0 || file.before?.mode !== file.after?.mode;
              if (isWhole) (isAccepted ? accepted : rejected).push({ file });
              else {
                accepted.push({ file, hunks: yes });
                rejected.push({ file, hunks: no });
              }
            }
            if (isBlocked(unreviewed, accepted, rejected)) return record.acceptAll();
            await record.accept(accepted);
            const { failures } = await record.takeBack(rejected);
            // Without a rejected .gitignore, other files are no longer ignored.
            const known = new Set(unreviewed.map(({ path }) => path));
            const rest = (await record.changes()).filter(({ path }) => known.has(path));
            expect({ failures, left: rest.map(({ patch }) => patch) }).toEqual({ failures: [], left: [] });
            return record.acceptAll();
          },
        ),
        { numRuns: cases, seed: isRepository ? seed + 1 : seed, endOnFailure: true },
      );
    },
    60_000 + cases * 4_000,
  );

function pathOf(line: string): string {
  return line.split('\t').slice(2).join('\t');
}

/** Whether a file is accepted and another one rejected where only one of them can exist. */
function isBlocked(
  files: readonly { readonly path: string }[],
  ...chosen: readonly (readonly ChosenChange[])[]
): boolean {
  const sideOf = (path: string): number => chosen.findIndex((side) => side.some(({ file }) => file.path === path));
  return files.some(({ path }) =>
    files.some((other) => other.path.startsWith(`${path}/`) && sideOf(path) !== sideOf(other.path)),
  );
}
