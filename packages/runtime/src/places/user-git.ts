import { gitFolder, projectRoot } from '@turnwire/machine';
import { gitOutsideOf, runGit } from '@turnwire/machine/folder-record';

/** How long a call may take that writes or reads all files of a repository, in milliseconds. */
const timeout = 600_000;

/** Settings by which a repository names programs that git runs. */
const programs =
  /^(?:core\.(?:fsmonitor|sshcommand|editor|pager|gitproxy|askpass|alternaterefscommand)|filter\..+\.(?:clean|smudge|process|required)|merge\..+\.driver|diff\.external|diff\..+\.(?:command|textconv)|(?:gpg|gpg\..+)\.program|gpg\.ssh\.defaultkeycommand|credential\.(?:.+\.)?helper|sequence\.editor|gc\.recentobjectshook|hook\..+\.command)$/;

/** Settings that keep git from running hooks and monitors, from starting itself in nested repositories, and from cleaning up. */
const fixed: readonly Setting[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.quotePath', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['maintenance.auto', 'false'],
];

type Setting = readonly [key: string, value: string];

/** The program that sends objects. Without this option the configuration of a repository may name another one. */
export const ownUploadPack: readonly string[] = ['--upload-pack=git-upload-pack'];

/** Options of a call of {@link UserGit}. */
export interface UserGitCall {
  readonly input?: string | Buffer;
  /** The index to use. Default: the one of the working tree. */
  readonly index?: string;
  /** Folders of further objects to read. */
  readonly objects?: readonly string[];
  /** Whether the call makes another repository, as `clone` does. */
  readonly isElsewhere?: boolean;
  /** Whether the call reads another repository on this machine, as `clone` and `fetch` do. It must name the program for that. */
  readonly isTransfer?: boolean;
}

/**
 * git in a working tree of the user, with the user's own settings. An agent that works in the repository can change its configuration and its
 * hooks, so no hook runs, and no program that only the configuration of the repository names.
 */
export class UserGit {
  readonly folder: string;
  readonly #runsHooks: boolean;
  #safe: Promise<Readonly<Record<string, string>>> | undefined;
  #program: string | undefined;

  /**
   * @param folder an absolute path in the working tree
   * @param options `runsHooks`: for a user who wants the hooks of the repository to run. Default: false
   */
  constructor(folder: string, { runsHooks = false }: { readonly runsHooks?: boolean } = {}) {
    this.folder = folder;
    this.#runsHooks = runsHooks;
  }

  /** Resolves with its output. Rejects with GitError. */
  async bytes(words: readonly string[], call: UserGitCall = {}): Promise<Buffer> {
    const safe = await (this.#safe ??= this.#safeSettings());
    return this.#run(words, { ...call, safe });
  }

  async text(words: readonly string[], call?: UserGitCall): Promise<string> {
    return (await this.bytes(words, call)).toString();
  }

  /** Resolves with one line that it printed. */
  async line(words: readonly string[], call?: UserGitCall): Promise<string> {
    return (await this.text(words, call)).trimEnd();
  }

  /** Resolves with the texts that it printed with NUL after each. */
  async texts(words: readonly string[], call?: UserGitCall): Promise<readonly string[]> {
    return (await this.text(words, call)).split('\0').slice(0, -1);
  }

  #run(
    words: readonly string[],
    {
      input,
      index,
      objects = [],
      isElsewhere,
      isTransfer,
      safe,
    }: UserGitCall & {
      safe?: Readonly<Record<string, string>>;
    },
  ): Promise<Buffer> {
    this.#program ??= gitOutsideOf([this.folder]);
    const root = projectRoot(this.folder);
    return runGit(this.#program, words, {
      cwd: this.folder,
      timeout,
      input,
      env: {
        ...safe,
        GIT_OPTIONAL_LOCKS: '0',
        GIT_EDITOR: 'true',
        // git would get a missing object by a program that the repository names, or from a server.
        GIT_NO_LAZY_FETCH: '1',
        GIT_ALLOW_PROTOCOL: isTransfer ? 'file' : '',
        // The configuration may name another working tree.
        ...(!isElsewhere && { GIT_DIR: gitFolder(root), GIT_WORK_TREE: root }),
        ...(index !== undefined && { GIT_INDEX_FILE: index }),
        ...(objects.length > 0 && { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects.map(quoted).join(':') }),
      },
    });
  }

  /**
   * Variables that replace each program of the repository's configuration with the one of the user's own configuration, or with none. The option
   * `-c` cannot: it ends a key at its first `=`, which the name of a filter may contain.
   */
  async #safeSettings(): Promise<Readonly<Record<string, string>>> {
    const listed = (await this.#run(['config', '--list', '--show-scope', '-z'], {})).toString().split('\0');
    const own = new Map<string, readonly string[]>();
    const theirs = new Set<string>();
    for (let at = 0; at + 1 < listed.length; at += 2) {
      const [scope, entry = ''] = [listed[at], listed[at + 1]];
      const end = entry.indexOf('\n');
      const [key, value] = end === -1 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
      if (!programs.test(key) || key === 'core.fsmonitor') continue;
      if (scope === 'system' || scope === 'global') own.set(key, [...(own.get(key) ?? []), value]);
      else theirs.add(key);
    }
    // The last value counts. Of credential helpers all run that follow an empty one.
    const replaced = Array.from(theirs).flatMap((key) =>
      [this.#harmless(key), ...(own.get(key) ?? [])].map((value): Setting => [key, value]),
    );
    const settings = [...fixed.filter(([key]) => !(this.#runsHooks && key === 'core.hooksPath')), ...replaced];
    return Object.fromEntries([
      ['GIT_CONFIG_COUNT', String(settings.length)],
      ...settings.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ]) as Record<string, string>;
  }

  #harmless(key: string): string {
    if (key.endsWith('.required')) return 'false';
    // Without a program git would take one side and drop the other.
    return key.endsWith('.driver')
      ? `'${(this.#program ?? 'git').replaceAll("'", `'\\''`)}' merge-file --marker-size=%L %A %O %B`
      : '';
  }
}

/** A path in a list of git, which may contain the separator. */
function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, '\\$&')}"`;
}
