import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

/**
 * Builds the page of apps/web into its dist/page: files named for their content, which browsers may keep for ever, and the document that
 * names them.
 * @returns what the bundler reports, and where the page is; undefined in a clone without apps/web
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
  forgetOthers(page, ['index.html', ...readdirSync(join(folder, 'src', 'static')), ...built]);
  return { metafile, page };
}

/** Links to what the first script imports: a browser that learns of it from the script alone would wait once more. */
function preloads({ outputs }) {
  const main = Object.values(outputs).find(({ entryPoint }) => entryPoint === 'apps/web/src/main.tsx');
  const paths = main.imports.flatMap(({ kind, path }) => (kind === 'import-statement' ? [path] : []));
  return paths.map((path) => `  <link rel="modulepreload" href="assets/${basename(path)}" />\n  `).join('');
}

/** Copies the page to where it is packed with the command. It is never gone meanwhile: a server may be giving it out. */
export function copyPage(page, target) {
  cpSync(page, target, { recursive: true });
  forgetOthers(target, readdirSync(page, { recursive: true }));
}

/** Deletes the files of a folder that are not named. */
function forgetOthers(folder, names) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !names.includes(relative(folder, path))) rmSync(path, { force: true });
  }
}
