import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { sdkName } from './sdk-entries.ts';

/** An import of the SDK. */
export interface SdkImport {
  /** The path below the project. */
  readonly file: string;
  readonly line: number;
  /** The entry of the package, such as `./unstable`. */
  readonly entry: string;
  /** The imported names; empty if the whole module is imported. */
  readonly names: readonly string[];
}

const sources = /\.[cm]?[jt]sx?$/;
const skipped = /^(node_modules|dist|build|out|coverage|\..*)$/;
const statement = new RegExp(
  `(?:(?:import|export)\\s+(?:type\\s+)?([^'";]*?)\\s*from\\s*|import\\s*\\(\\s*|require\\s*\\(\\s*|import\\s+)(['"])${sdkName}(/[^'"]*)?\\2`,
  'g',
);

/** Finds the imports of the SDK in a project's sources, without its dependencies and build output. */
export async function sdkImports(project: string): Promise<readonly SdkImport[]> {
  const found: SdkImport[] = [];
  for await (const path of sourceFiles(project)) {
    const text = await readFile(path, 'utf8');
    if (text.includes(sdkName)) found.push(...importsOf(text, relative(project, path)));
  }
  return found;
}

async function* sourceFiles(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !skipped.test(entry.name)) yield* sourceFiles(path);
    else if (entry.isFile() && sources.test(entry.name)) yield path;
  }
}

function importsOf(text: string, file: string): readonly SdkImport[] {
  return [...text.matchAll(statement)].map(({ index, 1: clause = '', 3: path = '' }) => ({
    file,
    line: text.slice(0, index).split('\n').length,
    entry: `.${path}`,
    names: namesOf(clause),
  }));
}

/** The names in `{ a, type b as c }`. */
function namesOf(clause: string): readonly string[] {
  const [, inBraces = ''] = /\{([^}]*)\}/.exec(clause) ?? [];
  return inBraces.split(',').flatMap((part) => {
    const [name = ''] = part
      .trim()
      .replace(/^type\s+/, '')
      .split(/\s+/);
    return name === '' ? [] : [name];
  });
}
