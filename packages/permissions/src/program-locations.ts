import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/**
 * Files and folders that make programs run or choose them: of git and its hooks, of editors when they open a folder, of agents, of shells
 * at their start, of package managers, and of build machines. A path of two names matches if one follows the other.
 */
const locations: ReadonlySet<string> = new Set(
  [
    '.git .husky .githooks .gitconfig .pre-commit-config.yaml lefthook.yml .lefthook.yml lefthook.toml',
    '.vscode .idea .zed .fleet .devcontainer .devcontainer.json .vim .vimrc .exrc .nvimrc .nvim.lua .nvim .emacs .emacs.d .dir-locals.el',
    '.turnwire .claude .claude.json .gemini .codex .cursor .qwen .opencode .windsurf .continue .kiro .copilot .cline .roo .amp .goose .aider.conf.yml',
    '.mcp.json opencode.json opencode.jsonc .github/copilot .vs/mcp.json',
    '.envrc .direnv .mise.toml mise.toml .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin',
    '.zlogout .kshrc .cshrc .tcshrc .login .config/fish .config/autostart .config/systemd .config/git .local/bin .xprofile .xinitrc .xsession .tmux.conf',
    '.npmrc .yarnrc .yarnrc.yml .yarn .pnpmfile.cjs .pnpmfile.mjs bunfig.toml .cargo .mvn .bundle .gdbinit .lldbinit .pythonrc .pythonstartup',
    '.github/workflows .github/actions .gitlab-ci.yml .gitlab .circleci .buildkite .travis.yml .drone.yml .woodpecker.yml .woodpecker jenkinsfile',
    'azure-pipelines.yml .azure-pipelines bitbucket-pipelines.yml appveyor.yml .forgejo .gitea .semaphore',
    // With one of these, git may use the configuration in that folder.
    'head',
  ].flatMap((line) => line.split(' ')),
);

/** Entries that git reads in a folder with `HEAD`, as in a bare repository. */
const inBareRepository: ReadonlySet<string> = new Set([
  ...[
    'config',
    'config.worktree',
    'objects',
    'refs',
    'packed-refs',
    'commondir',
    'hooks',
    'info',
    'worktrees',
    'modules',
  ],
]);

/** The number of names in a relative path, or in a pattern for one, that make programs run. */
export function programNames(path: string): number {
  const names = path.split(/[\\/]/).map(comparable);
  return names.filter((name, at) => isProgramLocation(name) || locations.has(`${name}/${names[at + 1]}`)).length;
}

/**
 * Whether writing to a path can make programs run: by its name or that of a folder above it, or because its folder is, or becomes, one that
 * git takes for a repository.
 * @param folder the folder in question: the path above it is ignored. Both are absolute
 */
export function makesProgramsRun(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return programNames(way) > 0 || isInBareRepository(folder, path);
}

/** Whether a path below a folder is in, or part of, a possible bare repository. */
export function isInBareRepository(folder: string, path: string): boolean {
  const names = relative(folder, path).split(sep);
  return names.some(
    (name, at) => inBareRepository.has(comparable(name)) && existsSync(join(folder, ...names.slice(0, at), 'HEAD')),
  );
}

function isProgramLocation(name: string): boolean {
  return locations.has(name) || name.endsWith('.code-workspace');
}

/**
 * The name as file systems may compare it: without case, invisible characters, trailing dots and spaces, and with short names of Windows.
 */
function comparable(name: string): string {
  const plain = name
    .replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .replace(/(?<=.)[. ]+$/, '')
    .toLowerCase();
  return plain === 'git~1' ? '.git' : plain;
}
