import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './project.ts';

/** A cloned repository, next to a home folder, with links that lead out of it or to files that make programs run. */
export function cloned(): string {
  const folder = temporaryFolder();
  const project = join(folder, 'project');
  for (const each of ['home', 'project/.git/hooks', 'project/docs', 'project/dg', 'project/d1', 'project/src/deep'])
    mkdirSync(join(folder, each), { recursive: true });
  for (const each of [
    'home/.bashrc',
    'home/keep',
    'project/.git/config',
    'project/notes',
    'project/cfg',
    'project/a',
    'project/b',
  ])
    writeFileSync(join(folder, each), `${each}\n`);
  const links: readonly (readonly [string, string])[] = [
    ['docs/notes', '../../home/.bashrc'],
    ['dg/cfg', '../.git/config'],
    ['d1/link', '../../home'],
    ['d1/file', '../../home/.bashrc'],
    ['d1/dangling', '../../home/new'],
    ['d1/git', '../.git'],
    ['away', '../home'],
    ['inside', 'src/deep'],
  ];
  for (const [path, target] of links) symlinkSync(target, join(project, path));
  mkdirSync(join(project, 'template/workflows'), { recursive: true });
  writeFileSync(join(project, 'template/workflows/x.yml'), 'on: push\n');
  mkdirSync(join(project, 'template/.husky'));
  writeFileSync(join(project, 'template/.husky/pre-commit'), 'id\n');
  return project;
}

/** The content of all files that no line may change. */
export function guarded(project: string): Readonly<Record<string, string | undefined>> {
  const read = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
  const outside = ['.bashrc', 'keep', 'new', 'a', 'loot', 'notes', 'x'].map((name) => join(project, '../home', name));
  const runs = ['.git/config', '.git/a', '.github/workflows/x.yml', '.husky/pre-commit'].map((name) =>
    join(project, name),
  );
  return Object.fromEntries([...outside, ...runs].map((path) => [path, read(path)]));
}
