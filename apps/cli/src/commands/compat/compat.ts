import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exitCodes } from '../../exit-codes.ts';
import type { GlobalOptions } from '../../options.ts';
import { cleanLine } from '../../terminal/clean-text.ts';
import { stdout } from '../../terminal/output.ts';
import { version } from '../../version.ts';
import { coveredEntries, missingNames, otherEntries, ourNames, sdkName } from './sdk-entries.ts';
import { type SdkImport, sdkImports } from './sdk-imports.ts';

/** An import with what it takes to replace the SDK. */
interface Verdict extends SdkImport {
  /** Why the alias does not cover it; absent if it does. */
  readonly problem?: string;
}

/** The fields of `package.json` with dependencies, and the fields of npm and Yarn that replace dependencies of dependencies. */
const fields = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;
const replacements = ['overrides', 'resolutions'] as const;

type Manifest = {
  readonly [field in (typeof fields)[number] | (typeof replacements)[number]]?: Record<string, unknown>;
} & {
  readonly pnpm?: { readonly overrides?: Record<string, unknown> };
};

/** The entries of the SDK in `package.json`. */
interface Named {
  /** The dependency; absent if only other packages depend on the SDK. */
  readonly dependency?: string | undefined;
  /** The line that already replaces it with ours. */
  readonly replacement?: string | undefined;
}

/** Lists the imports of the official SDK in a project. Resolves with the exit code: 1 if the alias does not cover one. */
export async function compat(project: string, { format }: GlobalOptions): Promise<number> {
  const { dependency, replacement } = await namedIn(project);
  const imports = (await sdkImports(project)).map(judged);
  const uncovered = imports.filter(({ problem }) => problem !== undefined);
  const names = [...new Set(imports.flatMap((each) => each.names))].filter((name) => Object.hasOwn(ourNames, name));
  // Nothing is published: a package of this name in a registry would be foreign.
  const alias = `"${sdkName}": "file:../turnwire/packed/turnwire-sdk-compat-${version()}.tgz"`;
  if (format === 'json')
    stdout.printJson(
      JSON.stringify({ dependency, replacement, imports, alias, names: names.map((name) => [name, ourNames[name]]) }),
    );
  else if (format === 'quiet') print(uncovered.length === 0 ? 'covered' : 'not covered');
  else {
    if (imports.length === 0) print(`No source file imports ${sdkName}.`);
    for (const each of imports) print(line(each));
    if (imports.length > 0) printAdvice({ alias, dependency, replacement, names, uncovered: uncovered.length });
  }
  return uncovered.length === 0 ? exitCodes.ok : exitCodes.error;
}

function judged(found: SdkImport): Verdict {
  const { entry, names } = found;
  if (!coveredEntries.has(entry))
    return { ...found, problem: otherEntries[entry] ?? 'it is not an entry of the package: import the name from "."' };
  const missing = names.filter((name) => missingNames.has(name));
  return missing.length === 0 ? found : { ...found, problem: `${missing.join(', ')}: keep the official package` };
}

async function namedIn(project: string): Promise<Named> {
  const text = await readFile(join(project, 'package.json'), 'utf8').catch(() => '{}');
  const manifest = JSON.parse(text) as Manifest;
  const versions = (all: Record<string, unknown> | undefined): readonly string[] => {
    const value = all?.[sdkName];
    // An override may be an object, whose own version is named `.`.
    const version = typeof value === 'object' && value !== null && '.' in value ? value['.'] : value;
    return typeof version === 'string' ? [version] : [];
  };
  const dependencies = fields.flatMap((field) => versions(manifest[field]));
  const overrides = [...replacements.map((field) => manifest[field]), manifest.pnpm?.overrides].flatMap(versions);
  return { dependency: dependencies[0], replacement: [...overrides, ...dependencies].find(isOurs) };
}

/** A tarball of ours, or an alias of npm. */
function isOurs(version: string): boolean {
  return /turnwire-sdk-compat|@turnwire\/sdk-compat/.test(version);
}

function line({ file, line: number, entry, names, problem }: Verdict): string {
  const what = names.length === 0 ? '' : ` ${names.join(', ')}`;
  return cleanLine(
    `${problem === undefined ? '✓' : '✗'} ${file}:${number} ${entry}${what}${problem ? ` — ${problem}` : ''}`,
  );
}

interface Advice extends Named {
  readonly alias: string;
  readonly names: readonly string[];
  readonly uncovered: number;
}

function printAdvice({ alias, dependency, replacement, names, uncovered }: Advice): void {
  print('');
  if (replacement !== undefined) {
    print(`package.json already replaces the SDK with "${cleanLine(replacement)}".`);
    if (uncovered > 0) print(`Imports that fail with it: ${uncovered}`);
  } else {
    if (uncovered > 0) print(`${uncovered} of these imports must change first. Then change package.json:`);
    else print('Nothing has to change but one line of package.json:');
    if (dependency === undefined) print(`  "overrides": { ${alias} }`);
    else print(`  ${alias} instead of "${cleanLine(dependency)}"`);
  }
  if (names.length === 0) return;
  print('');
  print('Our own names, for new code:');
  for (const name of names) print(`  ${name}: ${ourNames[name]}`);
}

function print(text: string): void {
  stdout.printLine(text);
}
