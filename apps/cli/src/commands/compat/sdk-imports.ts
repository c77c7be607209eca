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
const installed = /^(node_modules|coverage|\..*)$/;
const output = /^(dist|build|out)$/;
/** The clause of a statement, or the variable that gets the module; and the member of a type such as `import('…').Agent`. */
const statement = new RegExp(
  [
    `(?:(?:import|export)\\s+(?:type\\s+)?([^'";]*?)\\s*from\\s*`,
    `(?:(?:const|let|var)\\s+([\\w$]+|\\{[^}]*\\})\\s*=\\s*)?(?:await\\s+)?(?:[\\w$]+\\(\\s*)?(?:import|require)\\s*\\(\\s*`,
    `import\\s+)(['"])${sdkName}(/[^'"]*)?\\3(?:\\s*\\)\\s*\\.\\s*([\\w$]+))?`,
  ].join('|'),
  'g',
);

/**
 * Finds the imports of the SDK in a project, without its dependencies. A project that has none in its sources, such as an installed
 * program, is searched in its build output.
 */
export async function sdkImports(project: string): Promise<readonly SdkImport[]> {
  const inSources = await importsIn(project, (folder) => !installed.test(folder) && !output.test(folder));
  return inSources.length > 0 ? inSources : importsIn(project, (folder) => !installed.test(folder));
}

async function importsIn(project: string, isSearched: (folder: string) => boolean): Promise<readonly SdkImport[]> {
  const found: SdkImport[] = [];
  for await (const path of sourceFiles(project, isSearched)) {
    const text = await readFile(path, 'utf8');
    if (text.includes(sdkName)) found.push(...importsOf(text, relative(project, path)));
  }
  return found;
}

async function* sourceFiles(folder: string, isSearched: (folder: string) => boolean): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && isSearched(entry.name)) yield* sourceFiles(path, isSearched);
    else if (entry.isFile() && sources.test(entry.name)) yield path;
  }
}

function importsOf(text: string, file: string): readonly SdkImport[] {
  return [...text.matchAll(statement)].map(
    ({ index, 1: clause = '', 2: variable = '', 4: path = '', 5: member = '' }) => ({
      file,
      line: text.slice(0, index).split('\n').length,
      entry: `.${path}`,
      names: [
        ...new Set([...namesOf(clause), ...namesOf(variable), ...membersOf(clause, variable, text), member]),
      ].filter((name) => name !== ''),
    }),
  );
}

/** The names in `{ a, type b as c, d: e }`. */
function namesOf(clause: string): readonly string[] {
  const [, inBraces = ''] = /\{([^}]*)\}/.exec(clause) ?? [];
  return inBraces.split(',').map(
    (part) =>
      part
        .trim()
        .replace(/^type\s+/, '')
        .split(/[\s:]+/)[0] ?? '',
  );
}

/** The members of a whole module that a program uses: `acp.client` after `import * as acp`. */
function membersOf(clause: string, variable: string, text: string): readonly string[] {
  const whole = /\*\s*as\s+([\w$]+)/.exec(clause)?.[1] ?? (/^[\w$]+$/.test(variable) ? variable : undefined);
  if (whole === undefined) return [];
  const members = text.matchAll(
    new RegExp(`(?<![\\w$.])${whole.replaceAll('$', '\\$')}\\s*\\??\\.([A-Za-z_$][\\w$]*)`, 'g'),
  );
  return [...members].map(([, name = '']) => name);
}
