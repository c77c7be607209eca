import { lstatSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { globMatcher, type GlobOptions, isInside, realPath } from '@turnwire/machine';
import { isInBareRepository, programNames } from './program-places.ts';

/** A path as it is named and where it really leads. */
export interface NamedPath {
  readonly named: string;
  /** Undefined: cannot be told. */
  readonly real: string | undefined;
  /** Where the name itself is: what goes when it is deleted. Differs from `real` if it is a link. */
  readonly place: string | undefined;
}

/** A pattern for paths. */
export interface PathPattern {
  /** For rules that allow: whether the real file is meant. */
  allows(path: NamedPath): boolean;
  /** The same for a change: what makes programs run is meant only by a pattern that names it, such as `.husky/**` or `ci/.npmrc`. */
  allowsChange(path: NamedPath): boolean;
  /** For rules that ask or deny: whether the file, or a folder it is in, is meant by any of its names. */
  finds(path: NamedPath): boolean;
}

/** Where patterns start. */
export interface PathBases {
  /** The project's folder. */
  readonly project: string;
  readonly home: string;
  /** Finds where folders of patterns really are; for many patterns one that remembers. Default: `realPath`. */
  readonly realPath?: typeof realPath;
}

/** A pattern below one folder. */
interface Below {
  readonly matches: (comparable: string) => boolean;
  /** The last name of whatever it matches, if all that it matches has the same. */
  readonly name: string | undefined;
}

/**
 * `src/**` and `./src/**` start at the project, `~/x` at home, `/x` at the top; a name without a slash is anywhere in the project.
 * `*` stays within a folder, `**` does not, `?` is one character, everything else means itself. A slash at the end: all that is in it.
 * `src/**.ts` is short for `*.ts` in `src` and all folders below.
 */
export function pathPattern(spec: string, bases: PathBases): PathPattern {
  const { folder, rest } = split(spec, bases);
  const sure = certain(folder, bases);
  const allowed = matcher(sure, rest, { isContents: true });
  const meant = [matcher(folder, rest), ...really(folder, rest, bases)];
  const allows = (path: string | undefined): boolean => path !== undefined && allowed.matches(comparable(path));
  return {
    allows: ({ real }) => allows(real),
    allowsChange: ({ real }) => allows(real) && (!/[*?]/.test(rest) || namesPlaces(join(sure, rest), real, bases)),
    finds: (path) => {
      const { paths, last } = namesOf(path);
      return meant.some(({ matches, name }) => (name === undefined || last.has(name)) && paths.some(matches));
    },
  };
}

/**
 * Where the folder of a rule that allows really is. A link inside the project does not widen the rule: the agent may have made it.
 */
function certain(folder: string, { project, realPath: real = realPath }: PathBases): string {
  const base = real(project) ?? project;
  if (isInside(project, folder)) return join(base, relative(project, folder));
  return isInside(base, folder) ? folder : (real(folder) ?? folder);
}

/** Whether a pattern says of every name on a path that makes programs run that it means it. */
function namesPlaces(pattern: string, path: string = '', { project, realPath: real = realPath }: PathBases): boolean {
  const base = real(project) ?? project;
  const top = isInside(base, path) ? base : parse(path).root;
  return programNames(relative(top, path)) <= programNames(relative(top, pattern)) && !isInBareRepository(top, path);
}

/** What a rule that asks or denies leads to, by way of links. */
function really(folder: string, rest: string, { realPath: real = realPath }: PathBases): readonly Below[] {
  const there = real(folder);
  const whole = /[*?]/.test(rest) || !isThere(join(folder, rest)) ? undefined : realPath(join(folder, rest));
  return [
    ...(there === undefined || there === folder ? [] : [matcher(there, rest)]),
    ...(whole === undefined ? [] : [matcher(dirname(whole), basename(whole))]),
  ];
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** The folder that is certain, and the pattern below it. */
function split(spec: string, bases: PathBases): { readonly folder: string; readonly rest: string } {
  const written = spec.trim();
  const pattern = (written.endsWith('/') ? `${written}**` : written).replaceAll(/(?<=^|\/)\*\*(?=\.)/g, '**/*');
  if (!pattern.includes('/') && !/^(?:\.{1,2}|~)$/.test(pattern)) {
    return { folder: resolve(bases.project), rest: pattern === '**' ? pattern : `**/${pattern}` };
  }
  const parts = absolute(pattern, bases).split('/');
  const wild = parts.findIndex((part) => /[*?]/.test(part));
  if (wild >= 0) return { folder: resolve(parts.slice(0, wild).join('/') || '/'), rest: parts.slice(wild).join('/') };
  const whole = resolve(parts.join('/'));
  return { folder: dirname(whole), rest: basename(whole) };
}

function absolute(pattern: string, { project, home }: PathBases): string {
  if (pattern === '~' || pattern.startsWith('~/')) return home + pattern.slice(1);
  return isAbsolute(pattern) ? pattern : `${project}/${pattern}`;
}

function matcher(folder: string, rest: string, options?: GlobOptions): Below {
  const base = `${comparable(folder).replace(/\/$/, '')}/`;
  const matches = globMatcher(comparable(rest), options);
  const name = comparable(rest.slice(rest.lastIndexOf('/') + 1));
  return {
    matches: (path) => path.startsWith(base) && matches(path.slice(base.length)),
    name: /[*?]/.test(name) ? undefined : name,
  };
}

/** What a path is called, and what the folders above it are, ready to be compared. */
interface PathNames {
  readonly paths: readonly string[];
  /** The last names of all of them: what tells most patterns apart at once. */
  readonly last: ReadonlySet<string>;
}

/** Found once for each path, since thousands of rules may ask. */
function namesOf(path: NamedPath): PathNames {
  const known = namesByPath.get(path);
  if (known) return known;
  const { named, real } = path;
  const paths = [...new Set([...above(named), ...(real === undefined ? [] : above(real))].map(comparable))];
  const names = { paths, last: new Set(paths.map((each) => each.slice(each.lastIndexOf('/') + 1))) };
  namesByPath.set(path, names);
  return names;
}

const namesByPath = new WeakMap<NamedPath, PathNames>();

/** With slashes; in lower case where file systems usually do not tell case apart. */
function comparable(path: string): string {
  const slashed = sep === '/' ? path : path.replaceAll(sep, '/');
  return process.platform === 'darwin' || process.platform === 'win32' ? slashed.toLowerCase() : slashed;
}

/** A path and the folders above it. */
function above(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...above(parent)];
}
