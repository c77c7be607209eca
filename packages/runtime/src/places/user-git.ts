import { gitOutsideOf, runGit } from '@turnwire/machine/folder-record';

/** How long a call may take that writes or reads all files of a repository, in milliseconds. */
const timeout = 600_000;

/** Settings by which a repository names programs that git runs. */
const programs =
  /^(?:core\.(?:fsmonitor|sshcommand|editor|pager|gitproxy|askpass|alternaterefscommand)|filter\..+\.(?:clean|smudge|process|required)|merge\..+\.driver|diff\.external|diff\..+\.(?:command|textconv)|(?:gpg|gpg\..+)\.program|credential\.(?:.+\.)?helper|sequence\.editor)$/;

/** Options of a call of {@link UserGit}. */
export interface UserGitCall {
  readonly input?: string | Buffer;
  /** The index to use. Default: the one of the working tree. */
  readonly index?: string;
  /** Folders of further objects to read. */
  readonly objects?: readonly string[];
}

/**
 * git in a working tree of the user, with the user's own settings. An agent that works in the repository can change its configuration and its
 * hooks, so no hook runs, and no program that only the configuration of the repository names.
 */
export class UserGit {
  readonly folder: string;
  #safe: Promise<readonly string[]> | undefined;
  #program: string | undefined;

  /** @param folder an absolute path in the working tree */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** Resolves with its output. Rejects with GitError. */
  async bytes(words: readonly string[], call: UserGitCall = {}): Promise<Buffer> {
    const safe = await (this.#safe ??= this.#safeSettings());
    return this.#run([...safe, ...words], call);
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

  #run(words: readonly string[], { input, index, objects = [] }: UserGitCall): Promise<Buffer> {
    this.#program ??= gitOutsideOf([this.folder]);
    return runGit(this.#program, words, {
      cwd: this.folder,
      timeout,
      input,
      env: {
        GIT_OPTIONAL_LOCKS: '0',
        GIT_EDITOR: 'true',
        ...(index !== undefined && { GIT_INDEX_FILE: index }),
        ...(objects.length > 0 && { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects.map(quoted).join(':') }),
      },
    });
  }

  /** Options that replace each program of the repository's configuration with the one of the user's own configuration, or with none. */
  async #safeSettings(): Promise<readonly string[]> {
    const none = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.quotePath=false'];
    const listed = (await this.#run(['config', '--list', '--show-scope', '-z'], {})).toString().split('\0');
    const own = new Map<string, string>();
    const theirs = new Set<string>();
    for (let at = 0; at + 1 < listed.length; at += 2) {
      const [scope, entry = ''] = [listed[at], listed[at + 1]];
      const end = entry.indexOf('\n');
      const [key, value] = end === -1 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
      if (!programs.test(key) || key === 'core.fsmonitor') continue;
      if (scope === 'system' || scope === 'global') own.set(key, value);
      else theirs.add(key);
    }
    return [...none, ...Array.from(theirs, (key) => `${key}=${own.get(key) ?? this.#harmless(key)}`)].flatMap(
      (each) => ['-c', each],
    );
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
