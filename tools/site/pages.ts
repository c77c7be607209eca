import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';
import type { ApiModel } from './api-model.ts';
import { apiPages } from './api-pages.ts';
import { type Page, urlOf } from './page.ts';
import { protocolPages } from './protocol-pages.ts';

/** The navigation: groups, and the pages of each in the order they are read. */
const groups: readonly (readonly [group: string, paths: readonly string[]])[] = [
  ['Start', ['README.md', 'docs/guide/start.md', ...inFolder('docs/guide/editors')]],
  [
    'Use',
    [
      ...[
        'agents',
        'chat',
        'scripts',
        'permissions',
        'web',
        'remote',
        'serve',
        'several-machines',
        'security',
        'traces',
      ],
      ...inFolder('docs/guide'),
    ].map((each) => (each.includes('/') ? each : `docs/guide/${each}.md`)),
  ],
  [
    'Build',
    [
      ...['write-an-agent', 'drive-an-agent', 'cookbook', 'from-the-official-sdk'],
      ...['check-an-agent', 'check-a-client'],
    ].map((name) => `docs/guide/${name}.md`),
  ],
  ['Reference', [...inFolder('docs'), 'bench/README.md']],
  ['API', []],
  ['Packages', [...packageReadmes('packages'), 'conformance/README.md', ...packageReadmes('apps')]],
  ['Protocol', []],
  ['Decisions', inFolder('docs/decisions')],
  ['Project', ['CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']],
];

/**
 * Every page of the navigation, in its order. A guide that no other group names is in `Use`.
 * @param api - what the packages export; without it there is no reference of that
 */
export function allPages(api: ApiModel | undefined): readonly Page[] {
  const elsewhere = new Set(groups.flatMap(([group, paths]) => (group === 'Use' ? [] : paths)));
  return groups.flatMap(([group, paths]) => {
    if (group === 'Protocol') return protocolPages();
    if (group === 'API') return api === undefined ? [] : apiPages(api);
    const own = group === 'Use' ? paths.filter((path) => !elsewhere.has(path)) : paths;
    return [...new Set(own)].filter(isThere).map((path) => written(path, group));
  });
}

function isThere(path: string): boolean {
  return existsSync(join(root, path));
}

function written(path: string, group: string): Page {
  return { path, url: urlOf(path), text: readFileSync(join(root, path), 'utf8'), group };
}

function inFolder(folder: string): readonly string[] {
  if (!isThere(folder)) return [];
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

function packageReadmes(folder: string): readonly string[] {
  return readdirSync(join(root, folder)).map((name) => `${folder}/${name}/README.md`);
}
