import { lstatSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { globMatcher, type GlobOptions, isInside, realPath } from '@turnwire/machine';
import { anyText } from './shell-word.ts';
import { possibleWildcard } from './wildcard.ts';
import { isInBareRepository, programNames } from './program-locations.ts';

/** A path by name and by real location. */
export interface NamedPath {
  readonly named: string;
  /** Undefined: unknown. */
  readonly real: string | undefined;
  /** The location of the name itself, which a deletion removes. Differs from `real` for a link. */
  readonly location: string | undefined;
}

/** A pattern for paths. */
export interface PathPattern {
  /** For rules that allow: whether it matches the real file. */
  allows(path: NamedPath): boolean;
  /**
   * The same for a change: files that make programs run are matched only by a pattern that names them, such as `.husky/**` or `ci/.npmrc`.
   */
  allowsChange(path: NamedPath): boolean;
  /** For rules that ask or deny: whether it matches the file, or a folder above it, by any name. */
  finds(path: NamedPath): boolean;
}

/** The bases of patterns. */
export interface PathBases {
  /** The project's folder. */
  readonly project: string;
  readonly home: string;
  /** Resolves the folders of patterns. For many patterns, pass one with a cache. Default: `realPath`. */
  readonly realPath?: typeof realPath;
}

/** A pattern below one folder. */
interface Below {
  readonly matches: (comparable: string) => boolean;
  /** The last name of all paths it matches, if they share one. */
  readonly name: string | undefined;
}

/**
 * Compiles a pattern: `src/**` and `./src/**` start at the project, `~/x` at home, `/x` at the root; a name without a slash is anywhere in
 * the project. `*` stays within a folder, `**` does not, `?` is one character, and everything else is literal. A trailing slash means
 * everything inside. `src/**.ts` is short for `*.ts` in `src` and all folders below.
 */
export function pathPattern(spec: string, bases: PathBases): PathPattern {
  const { folder, rest } = split(spec, bases);
  const sure = certain(folder, bases);
  const allowed = matcher(sure, rest, { isContents: true });
  const meant = [matcher(folder, rest), ...really(folder, rest, bases)];
  const mayMatch = [folder, sure].map((each) => openMatcher(each, rest));
  const allows = (path: string | undefined): boolean => path !== undefined && allowed.matches(comparable(path));
  return {
    allows: ({ real }) => allows(real),
    allowsChange: ({ real }) => allows(real) && (!/[*?]/.test(rest) || namesPlaces(join(sure, rest), real, bases)),
    finds: (path) => {
      if (path.named.includes(anyText)) return mayMatch.some((matches) => above(comparable(path.named)).some(matches));
      const { paths, last } = namesOf(path);
      return meant.some(({ matches, name }) => (name === undefined || last.has(name)) && paths.some(matches));
    },
  };
}

/** The real folder of a rule that allows. A link inside the project does not widen the rule: the agent may have created it. */
function certain(folder: string, { project, realPath: real = realPath }: PathBases): string {
  const base = real(project) ?? project;
  if (isInside(project, folder)) return join(base, relative(project, folder));
  return isInside(base, folder) ? folder : (real(folder) ?? folder);
}

/** Whether a pattern explicitly names every part of a path that makes programs run. */
function namesPlaces(pattern: string, path: string = '', { project, realPath: real = realPath }: PathBases): boolean {
  const base = real(project) ?? project;
  const top = isInside(base, path) ? base : parse(path).root;
  return programNames(relative(top, path)) <= programNames(relative(top, pattern)) && !isInBareRepository(top, path);
}

/** The targets of a rule that asks or denies, through links. */
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

/** The literal folder, and the pattern below it. */
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

/** For paths with unknown parts, which may include folders. */
function openMatcher(folder: string, rest: string): (comparable: string) => boolean {
  const pattern = rest.replaceAll(/\*\*\/|[*?]+/g, '*');
  return possibleWildcard(`${comparable(folder).replace(/\/$/, '')}/${comparable(pattern)}`, anyText);
}

/** The names of a path and of the folders above it, in comparable form. */
interface PathNames {
  readonly paths: readonly string[];
  /** The last name of each, which rules out most patterns at once. */
  readonly last: ReadonlySet<string>;
}

/** Computed once for each path, since thousands of rules may need it. */
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

/** With slashes; in lower case where file systems usually ignore case. */
function comparable(path: string): string {
  const slashed = sep === '/' ? path : path.replaceAll(sep, '/');
  return process.platform === 'darwin' || process.platform === 'win32' ? slashed.toLowerCase() : slashed;
}

/** A path and the folders above it. */
function above(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...above(parent)];
}
