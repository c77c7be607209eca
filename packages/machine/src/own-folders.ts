import { realpathSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { isInside } from './is-inside.ts';

/** Variables of an environment. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** The folder of settings for all projects: `turnwire` in `XDG_CONFIG_HOME`, else `~/.config` (on Windows `APPDATA`). */
export function configFolder(env: EnvironmentVariables = process.env): string {
  return ownFolder(env, ['XDG_CONFIG_HOME', 'APPDATA'], '.config');
}

/** The folder of state such as sessions: `turnwire` in `XDG_STATE_HOME`, else `~/.local/state` (on Windows `LOCALAPPDATA`). */
export function stateFolder(env: EnvironmentVariables = process.env): string {
  return ownFolder(env, ['XDG_STATE_HOME', 'LOCALAPPDATA'], join('.local', 'state'));
}

/**
 * The folder of data that users store with us, such as keys: `turnwire` in `XDG_DATA_HOME`, else `~/.local/share` (on Windows
 * `LOCALAPPDATA`).
 */
export function dataFolder(env: EnvironmentVariables = process.env): string {
  return ownFolder(env, ['XDG_DATA_HOME', 'LOCALAPPDATA'], join('.local', 'share'));
}

/** The folder of data that can be fetched again: `turnwire` in `XDG_CACHE_HOME`, else `~/.cache` (on Windows `LOCALAPPDATA`). */
export function cacheFolder(env: EnvironmentVariables = process.env): string {
  return ownFolder(env, ['XDG_CACHE_HOME', 'LOCALAPPDATA'], '.cache');
}

/**
 * The home folder of the user: `HOME` if it is an absolute path, else the folder from the user database. A relative one, including an empty variable,
 * would make the current folder the user's.
 */
export function homeFolder(): string {
  const home = homedir();
  return isAbsolute(home) ? home : userInfo().homedir;
}

/** The specification of the XDG variable says that a relative path is ignored; the other variable is that of Windows. */
function ownFolder(env: EnvironmentVariables, [xdg, windows]: readonly [string, string], otherwise: string): string {
  const candidates = [env[xdg], process.platform === 'win32' ? env[windows] : undefined];
  return join(candidates.find((path) => path && isAbsolute(path)) ?? join(homeFolder(), otherwise), 'turnwire');
}

/** The folders of each environment, by their names. */
const found = new Map<string, readonly string[]>();

/** The folders with the settings, keys and sessions of this product, which no agent session may read or change. */
export class OwnFolders {
  readonly #folders: readonly string[];
  readonly #env: EnvironmentVariables;

  /**
   * The folders by name, and by the targets of symbolic links when this process first resolved them: code that is kept out of them cannot change
   * that.
   */
  constructor(env: EnvironmentVariables = process.env) {
    this.#env = env;
    const named = [configFolder(env), stateFolder(env), dataFolder(env), cacheFolder(env)];
    const key = named.join('\0');
    this.#folders = found.get(key) ?? [...new Set([...named, ...named.map(realOf)])];
    found.set(key, this.#folders);
  }

  /** Whether an absolute path without symbolic links is one of them or in one. */
  hold(path: string): boolean {
    return this.#folders.some((folder) => isInside(folder, path));
  }

  /**
   * Whether a command line spells out the path of one of them, for any program: absolute, from the home folder or a variable, or relative
   * to a folder the line may run in. Paths that are composed in another way are not found.
   */
  areNamedIn(line: string, workingFolders: readonly string[] = []): boolean {
    const plain = withVariables(line.replaceAll(/["'\\]/g, ''), this.#env);
    // A path to a folder ends with the folder's name, which few lines contain.
    if (!this.#folders.some((folder) => plain.includes(basename(folder)))) return false;
    const below = workingFolders.flatMap((working) => this.#folders.map((folder) => relative(working, folder)));
    // A single name, such as that of the current folder, would match too many words.
    const relatives = below.filter((name) => /^(?!\.\.)[^/\\]+[/\\]/.test(name) && !isAbsolute(name));
    const patterns = [...this.#folders.map(literal), ...relatives.map((name) => `(?<![\\w.-])${literal(name)}`)];
    return patterns.some((pattern) => new RegExp(`${pattern}(?![\\w.-])`).test(plain));
  }

  /** Whether one of them is at an absolute path or below it, and so would be moved or deleted with it. */
  areBelow(path: string): boolean {
    return this.#folders.some((folder) => isInside(path, folder));
  }
}

/** The reason why access to {@link OwnFolders} is refused, as the end of a sentence. */
export const ownFoldersReason: string =
  'it belongs to Turnwire itself, which keeps settings, keys and sessions there, and no session may read or change it';

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function withVariables(line: string, env: EnvironmentVariables): string {
  const value = (name: string): string | undefined => (name === 'HOME' ? homeFolder() : env[name]);
  return line
    .replaceAll(/\$(?:(\w+)|\{(\w+)\})/g, (whole, name?: string, braced?: string) =>
      /^(?:HOME|XDG_\w+_HOME|APPDATA|LOCALAPPDATA)$/.test(name ?? braced ?? '')
        ? (value(name ?? braced ?? '') ?? whole)
        : whole,
    )
    .replaceAll(/(?<![\w./-])~(?=[/\\])/g, () => homeFolder());
}

// Also for a folder that does not exist yet.
function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), basename(path));
  }
}
