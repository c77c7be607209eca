import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join, sep } from 'node:path';

const named = /^(import|export) \{([^}]*)\} from '([^']+)';/gm;

/**
 * A plugin for esbuild that replaces imports from an `index.ts` by imports from the files that it re-exports. Otherwise every chunk that
 * imports one name of an `index.ts` loads all of its files, and a command reads at its start modules that only other commands need.
 * @param {(text: string, path: string) => string} [edit] changes the text of a source further
 */
export const directImports = (edit = (text) => text) => ({
  name: 'direct-imports',
  setup: (build) => {
    const exported = new Map();

    /** Re-exports of an `index.ts`: name → `{ path, name }` of the original. */
    const exportsOf = (path) => {
      if (!exported.has(path)) exported.set(path, readExports(path));
      return exported.get(path);
    };

    const readExports = async (path) => {
      const found = new Map();
      for (const [, keyword, names, from] of (await readFile(path, 'utf8')).matchAll(named))
        if (keyword === 'export' && from.startsWith('.'))
          for (const { name, as } of specifiersIn(names)) found.set(as, await origin(join(dirname(path), from), name));
      return found;
    };

    const origin = async (path, name) =>
      (basename(path) === 'index.ts' ? (await exportsOf(path)).get(name) : undefined) ?? { path, name };

    /** Resolved packages by name: resolving costs as much as reading a file, and gives all our files the same result. */
    const packages = new Map();

    const resolve = (from, importer) => {
      if (from.startsWith('.')) return { path: join(dirname(importer), from) };
      if (!packages.has(from))
        packages.set(from, build.resolve(from, { importer, resolveDir: dirname(importer), kind: 'import-statement' }));
      return packages.get(from);
    };

    const direct = async (statement, importer) => {
      const [whole, keyword, names, from] = statement;
      const { path, external } = await resolve(from, importer);
      if (external || basename(path) !== 'index.ts') return whole;
      const lines = specifiersIn(names).map(async ({ name, as }) => {
        const { path: file, name: there } = await origin(path, name);
        return `${keyword} { ${there} as ${as} } from ${JSON.stringify(file)};`;
      });
      // On one line, so that line numbers stay the same.
      return (await Promise.all(lines)).join(' ') + '\n'.repeat(whole.split('\n').length - 1);
    };

    build.onLoad({ filter: /\.m?[jt]sx?$/ }, async ({ path }) => {
      if (path.includes(`${sep}node_modules${sep}`)) return undefined;
      const text = await readFile(path, 'utf8');
      const statements = [...text.matchAll(named)];
      const replaced = await Promise.all(statements.map((each) => direct(each, path)));
      const contents = text.replaceAll(named, () => replaced.shift());
      return { contents: edit(contents, path), loader: loaderOf(extname(path)) };
    });
  },
});

function loaderOf(extension) {
  if (extension === '.tsx') return 'tsx';
  return extension.endsWith('ts') ? 'ts' : 'js';
}

/** The imported values in braces, without types. */
function specifiersIn(names) {
  return names
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && !each.startsWith('type '))
    .map((each) => each.split(' as '))
    .map(([name, as = name]) => ({ name, as }));
}
