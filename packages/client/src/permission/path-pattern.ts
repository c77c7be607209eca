import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import { isInside, realPath } from './real-path.ts';

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
  /** For rules that ask or deny: whether the file, or a folder it is in, is meant by any of its names. */
  finds(path: NamedPath): boolean;
}

/** Where patterns start. */
export interface PathBases {
  /** The project's folder. */
  readonly project: string;
  readonly home: string;
}

type Match = (path: string) => boolean;

/**
 * `src/**` and `./src/**` start at the project, `~/x` at home, `/x` at the top; a name without a slash is anywhere in the project.
 * `*` stays within a folder, `**` does not, `?` is one character, everything else means itself. A slash at the end: all that is in it.
 */
export function pathPattern(spec: string, bases: PathBases): PathPattern {
  const { folder, rest } = split(spec, bases);
  const allowed = matcher(certain(folder, bases), rest);
  const meant = [matcher(folder, rest), ...really(folder, rest)];
  const names = (path: string): boolean => above(path).some((each) => meant.some((matches) => matches(each)));
  return {
    allows: ({ real }) => real !== undefined && allowed(real),
    finds: ({ named, real }) => names(named) || (real !== undefined && names(real)),
  };
}

/**
 * Where the folder of a rule that allows really is. A link inside the project does not widen the rule: the agent may have made it.
 */
function certain(folder: string, { project }: PathBases): string {
  const base = realPath(project) ?? project;
  if (isInside(project, folder)) return join(base, relative(project, folder));
  return isInside(base, folder) ? folder : (realPath(folder) ?? folder);
}

/** What a rule that asks or denies leads to, by way of links. */
function really(folder: string, rest: string): readonly Match[] {
  const real = realPath(folder);
  const whole = /[*?]/.test(rest) ? undefined : realPath(join(folder, rest));
  return [
    ...(real === undefined ? [] : [matcher(real, rest)]),
    ...(whole === undefined ? [] : [matcher(dirname(whole), basename(whole))]),
  ];
}

/** The folder that is certain, and the pattern below it. */
function split(spec: string, bases: PathBases): { readonly folder: string; readonly rest: string } {
  const written = spec.trim();
  const pattern = written.endsWith('/') ? `${written}**` : written;
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

function matcher(folder: string, rest: string): Match {
  const base = `${comparable(folder).replace(/\/$/, '')}/`;
  const glob = picomatch(comparable(literalButStars(rest)), {
    dot: true,
    nonegate: true,
    noextglob: true,
    windows: false,
  });
  return (path) => {
    const text = comparable(path);
    return text.startsWith(base) && glob(text.slice(base.length));
  };
}

/** Names of files may hold what is special to the matcher: `app/(shop)/[id].tsx`. */
function literalButStars(pattern: string): string {
  return pattern.replaceAll(/[\\()[\]{}|+!@^$]/g, '\\$&');
}

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
