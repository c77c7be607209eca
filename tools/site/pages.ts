import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';

/** A part of the navigation, with the pages in it in the order in which they are read. */
interface PageGroup {
  readonly title: string;
  /** Markdown files, from the root of the repository. */
  readonly paths: readonly string[];
}

/** The navigation, with the pages that exist. A guide that no other group names is in `Use`. */
export function pageGroups(): readonly PageGroup[] {
  const guide = (...names: readonly string[]): readonly string[] => names.map((name) => `docs/guide/${name}.md`);
  const start = ['README.md', ...guide('start'), ...markdownIn('docs/guide/editors')];
  const build = guide(
    ...[
      'write-an-agent',
      'drive-an-agent',
      'cookbook',
      'version-2',
      'from-the-official-sdk',
      'check-an-agent',
      'check-a-client',
    ],
  );
  const use = guide(
    ...[
      'agents',
      'chat',
      'coming-from',
      'scripts',
      'review',
      'places',
      'permissions',
      'web',
      'remote',
      'serve',
      'several-machines',
      'security',
      'traces',
    ],
  );
  const otherGuides = markdownIn('docs/guide').filter((path) => ![...start, ...build, ...use].includes(path));
  const groups = [
    { title: 'Start', paths: start },
    { title: 'Use', paths: [...use, ...otherGuides] },
    { title: 'Build', paths: build },
    { title: 'Reference', paths: [...markdownIn('docs'), 'bench/README.md'] },
    { title: 'API', paths: indexFirst(markdownIn('docs/api')) },
    { title: 'Packages', paths: [...readmesIn('packages'), 'conformance/README.md', ...readmesIn('apps')] },
    { title: 'Protocol', paths: indexFirst(markdownIn('docs/protocol')) },
    { title: 'Decisions', paths: markdownIn('docs/decisions') },
    { title: 'Project', paths: ['CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'] },
  ];
  return groups.map(({ title, paths }) => ({ title, paths: paths.filter((path) => existsSync(join(root, path))) }));
}

/** The title of a page: its first heading, without Markdown. */
export function titleOf(path: string): string {
  const heading = /^# (.*)$/m.exec(readFileSync(join(root, path), 'utf8'))?.[1] ?? path;
  return heading.replaceAll(/[`\\]/g, '');
}

/** The Markdown file that the site has for a page of the repository: the folder `docs` is the root of the site. */
export function sitePath(path: string): string {
  return path.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');
}

/** The address of a page, from the root of the site. */
export function addressOf(path: string): string {
  return `/${sitePath(path)
    .replace(/(^|\/)index\.md$/, '$1')
    .replace(/\.md$/, '.html')}`;
}

function markdownIn(folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'));
  return names.map((name) => `${folder}/${name}`);
}

function readmesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder)).map((name) => `${folder}/${name}/README.md`);
}

function indexFirst(paths: readonly string[]): readonly string[] {
  return paths.toSorted((one, other) => Number(other.endsWith('/index.md')) - Number(one.endsWith('/index.md')));
}
