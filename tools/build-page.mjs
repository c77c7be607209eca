import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { directImports } from './direct-imports.mjs';

/**
 * Builds the page of apps/web into its dist/page: the document, and files whose names have a hash of their content, so that browsers may
 * cache them without limit.
 * @returns the bundler's metafile, and the folder of the page; undefined in a clone without apps/web
 */
export async function buildPage(build, clone) {
  const folder = join(clone, 'apps', 'web');
  if (!existsSync(join(folder, 'src', 'main.tsx'))) return undefined;
  const page = join(folder, 'dist', 'page');
  mkdirSync(page, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: clone,
    entryPoints: [join(folder, 'src', 'main.tsx')],
    outdir: join(page, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    conditions: ['@turnwire/source', 'module'],
    define: { 'process.env.NODE_ENV': '"production"' },
    jsx: 'automatic',
    legalComments: 'none',
    format: 'esm',
    platform: 'browser',
    // Otherwise the first chunk contains what only later ones need, such as the comparison of files.
    plugins: [directImports()],
    target: 'es2022',
    logLevel: 'warning',
  });
  const names = Object.entries(metafile.outputs).flatMap(([path, { entryPoint, cssBundle }]) =>
    entryPoint === 'apps/web/src/main.tsx' ? [basename(path), basename(cssBundle)] : [],
  );
  const document = names.reduce(
    (text, name) => text.replace(`"main${/\.\w+$/.exec(name)[0]}"`, `"assets/${name}"`),
    readFileSync(join(folder, 'src', 'index.html'), 'utf8'),
  );
  writeFileSync(join(page, 'index.html'), document.replace('</head>', `${preloads(metafile)}</head>`));
  cpSync(join(folder, 'src', 'static'), page, { recursive: true });
  const built = Object.keys(metafile.outputs).map((path) => relative(page, join(clone, path)));
  deleteOthers(page, ['index.html', ...readdirSync(join(folder, 'src', 'static')), ...built]);
  return { metafile, page };
}

/** Preloads for the imports of the first script: without them the browser requests the imports only after it parsed that script. */
function preloads({ outputs }) {
  const main = Object.values(outputs).find(({ entryPoint }) => entryPoint === 'apps/web/src/main.tsx');
  const paths = main.imports.flatMap(({ kind, path }) => (kind === 'import-statement' ? [path] : []));
  return paths.map((path) => `  <link rel="modulepreload" href="assets/${basename(path)}" />\n  `).join('');
}

/** Copies the page to where it is packed with the command. Files are replaced one by one, because a server may be serving the page. */
export function copyPage(page, target) {
  cpSync(page, target, { recursive: true });
  deleteOthers(target, readdirSync(page, { recursive: true }));
}

/** Deletes the files of a folder that are not in `names`. */
function deleteOthers(folder, names) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !names.includes(relative(folder, path))) rmSync(path, { force: true });
  }
}
