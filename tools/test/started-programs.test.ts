import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../run.mjs';

/**
 * A folder is data: opening it, listing it and completing a path in it start no program from it. So only these files start programs, each
 * with the reason why the folder cannot choose the program.
 */
const starters: Readonly<Record<string, string>> = {
  'apps/cli/src/commands/serve/sandboxed.ts': "bubblewrap, from the user's PATH",
  'apps/cli/src/interactive/clipboard.ts': 'the program that reads the clipboard, looked for outside of the folder',
  'apps/cli/src/interactive/edit-elsewhere.ts': "the user's editor, as VISUAL and EDITOR name it",
  'apps/cli/src/interactive/open-url.ts': "the system's program for addresses",
  'apps/cli/src/interactive/user-shell.ts': "the user's own shell, as SHELL names it, or the shell of this machine",
  'apps/cli/src/session-host/host-connection.ts': 'this program itself',
  'apps/cli/src/session-places/make-place.ts': 'the set-up command of places, after the user agreed to it',
  'apps/cli/src/driving/fetched-agent.ts': 'npx, from a folder of ours, for a known agent after the user agreed',
  'apps/cli/src/driving/terminal-login.ts': 'the agent that was chosen: agent-command.ts decides whether it may be',
  'apps/coder/src/process/ripgrep.ts': 'ripgrep, without configuration, and not where ignore files are traps',
  'packages/cluster/src/nodes/node-lease.ts': 'a thread of our own, whose code is in the package',
  'packages/machine/src/folder-record/git.ts':
    "git, from the user's PATH outside of the folder, without programs that only the folder's settings name",
  'packages/runtime/src/store/sqlite/sqlite-thread.ts': 'a thread of our own, whose code is in the package',
  'packages/machine/src/processes/watchdog.ts': '/bin/sh, in /',
  'packages/machine/src/processes/process-table.ts': '/bin/ps',
  'packages/machine/src/processes/start-tree.ts':
    "the agent that was chosen, what permissions let through, and MCP servers: the user's, the client's, or those of the project the user agreed to",
  'packages/machine/src/processes/windows-tree.ts': 'taskkill.exe, by its path',
  'packages/machine/src/process-identity.ts': '/bin/ps',
  'packages/trace/src/node/relay-process.ts': 'the agent the user names on the command line',
};

const sources = ['apps', 'packages'].flatMap((folder) =>
  readdirSync(join(root, folder)).flatMap((each) => {
    const at = join(folder, each, 'src');
    const paths = readdirSync(join(root, at), { recursive: true, encoding: 'utf8' });
    return paths.filter((path) => path.endsWith('.ts')).map((path) => join(at, path).replaceAll('\\', '/'));
  }),
);

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

test('only the listed files start programs', () => {
  const found = sources.filter((path) => {
    const imports = textOf(path).matchAll(
      /^import (?!type)([^;]+?) from '(?:node:child_process|node:worker_threads|node:cluster)'/gm,
    );
    return [...imports].some(([, names = '']) => !/^\{(?:\s*type \w+,?)+\s*\}$/.test(names));
  });
  expect(found.toSorted()).toEqual(Object.keys(starters).toSorted());
});

test('a system program is started by name only from a path outside of the folder', () => {
  const byName = Object.keys(starters).flatMap((path) =>
    [...textOf(path).matchAll(/(?:spawn|spawnSync|execFile\)?)\(\s*['"]([^/'"][^'"]*)['"]/g)].map(
      ([, name]) => `${path}: ${name}`,
    ),
  );
  expect(byName).toEqual([]);
});

test('git, which runs programs that the configuration of a repository names, is started only where those are turned off', () => {
  const starting = Object.keys(starters).filter((path) => /['"`]git\b/.test(textOf(path)));
  expect(starting).toEqual(['packages/machine/src/folder-record/git.ts']);
});
