import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { root, tool } from '../run.mjs';

/** The errors that a program's types have only with our package. */
export interface TypeErrors {
  /** Those that the last official version with the classes causes, too: that version has changed a type. */
  readonly asNewer: readonly string[];
  readonly others: readonly string[];
}

/**
 * Compares the compiler's errors with both packages. Errors that both cause come from a library that the program does not ship.
 * @param newer the types of the last official version with the classes
 */
export async function typeErrorsOf(
  name: string,
  { official, turnwire, newer }: { readonly official: string; readonly turnwire: string; readonly newer: string },
): Promise<TypeErrors> {
  const theirs = await typeErrors(official, name);
  const added = (await typeErrors(turnwire, name)).filter((error) => !theirs.includes(error));
  const withNewer = added.length > 0 ? await typeErrors(official, name, newer) : [];
  return {
    asNewer: added.filter((error) => withNewer.includes(error)),
    others: added.filter((error) => !withNewer.includes(error)),
  };
}

/** Compiles what a program ships: its sources, which are in its source maps, and its declarations. @returns the errors, without positions */
async function typeErrors(modules: string, name: string, sdk?: string): Promise<readonly string[]> {
  const own = join(modules, name);
  const folder = join(modules, '..', 'compiled');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const files = (await readdir(own, { recursive: true })).filter((file) => !file.split(sep).includes('node_modules'));
  const sources: string[] = [];
  for (const file of files.filter((each) => each.endsWith('.map')))
    sources.push(...(await unpackSources(join(own, file), { own, folder })));
  const declarations = files.filter((file) => /\.d\.m?ts$/.test(file)).map((file) => join(own, file));
  if (sources.length + declarations.length === 0) return [];
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify(configuration([...new Set(sources), ...declarations], sdk)),
  );
  const output = await compile(folder);
  const errors = output.split('\n').filter((line) => /: error TS/.test(line));
  // Leaves out the errors in imported libraries.
  const isOwn = (line: string): boolean => {
    const file = resolve(folder, line.slice(0, line.indexOf('(')));
    return file.startsWith(own + sep) || file.startsWith(folder + sep);
  };
  const lasting = errors.filter(isOwn).map((line) => line.replace(/\(\d+,\d+\)/, '').replaceAll(modules, ''));
  return [...new Set(lasting)].toSorted();
}

function configuration(files: readonly string[], sdk: string | undefined): object {
  return {
    files,
    compilerOptions: {
      target: 'es2023',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2023', 'esnext.disposable', 'dom', 'dom.iterable'],
      jsx: 'react-jsx',
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      typeRoots: [join(root, 'node_modules/@types')],
      types: ['node'],
      ...(sdk !== undefined && { paths: { '@agentclientprotocol/sdk': [sdk] } }),
    },
  };
}

/** Writes the sources that a map contains. @returns their paths */
async function unpackSources(
  map: string,
  { own, folder }: { readonly own: string; readonly folder: string },
): Promise<readonly string[]> {
  const { sources = [], sourcesContent = [] } = JSON.parse(await readFile(map, 'utf8')) as {
    readonly sources?: readonly string[];
    readonly sourcesContent?: readonly (string | null)[];
  };
  const written: string[] = [];
  for (const [index, source] of sources.entries()) {
    const content = sourcesContent[index];
    const path = relative(own, resolve(dirname(map), source));
    if (typeof content !== 'string' || !/\.tsx?$/.test(path) || /^\.\.|node_modules/.test(path)) continue;
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    written.push(file);
  }
  return written;
}

function compile(folder: string): Promise<string> {
  return new Promise((done) => {
    const words = [join(root, tool.tsc), '-p', folder, '--pretty', 'false'];
    execFile(process.execPath, words, { cwd: folder, maxBuffer: 2 ** 26 }, (_error, stdout) => done(stdout));
  });
}
