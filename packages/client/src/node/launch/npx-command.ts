import { chmod, mkdir } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { cacheFolder, readOwnFile, replaceFile } from '@turnwire/machine';
import { TurnwireError } from '@turnwire/protocol';
import type { CommandWords } from './command-words.ts';

/**
 * Changes to our folder before npx starts, so that npx finds its packages, its `.npmrc` and the programs on its PATH there and not in
 * `node_modules` of a project, where anyone may have put others with the same name.
 */
const start = `#!/bin/sh
TURNWIRE_START_FOLDER=$PWD npm_config_script_shell=$1/shell
export TURNWIRE_START_FOLDER npm_config_script_shell
cd -- "$1" || exit 1
shift
exec "$@"
`;

/**
 * The shell that npx uses to run the package's program: changes back, and removes the variables of the detour. Scripts of an installation
 * stay where they are.
 */
const shell = `#!/bin/sh
unset npm_config_script_shell
if [ "$npm_lifecycle_event" = npx ] && [ -n "$TURNWIRE_START_FOLDER" ]; then
  cd -- "$TURNWIRE_START_FOLDER" || exit 1
  INIT_CWD=$PWD
  export INIT_CWD
  unset npm_config_local_prefix npm_package_json
  unset TURNWIRE_START_FOLDER
fi
exec /bin/sh "$@"
`;

/**
 * The words to start an agent in the folder of a project without influence of the project on npx: the package comes from the user's
 * registry or npx's cache, whatever `node_modules` and `.npmrc` of the project contain, and the agent still starts in the project. Other
 * commands stay unchanged. On Windows, where no shell can change back to a folder, npx looks for packages and settings in our folder, but
 * programs it runs by name are still searched for in the project's `node_modules/.bin`. Rejects with `launch-failed` if our cache folder is
 * not writable.
 */
export async function withoutProjectPackages(words: CommandWords): Promise<CommandWords> {
  if (!isNpx(words)) return words;
  const [program, ...others] = words;
  const folder = await preparedFolder();
  return process.platform === 'win32'
    ? [program, '--prefix', folder, ...others]
    : ['/bin/sh', join(folder, 'start'), folder, program, ...others];
}

/** `npx`, `npm exec` and `npm x`; not a program with a relative path. */
function isNpx([program, verb = '']: CommandWords): boolean {
  if (/[\\/]/.test(program) && !isAbsolute(program)) return false;
  const name = basename(program.replaceAll('\\', '/')).replace(/\.(?:cmd|exe|ps1)$/i, '');
  return name === 'npx' || (name === 'npm' && ['exec', 'x'].includes(verb));
}

/** Our folder. It is a package of its own, so npm does not search further up. */
async function preparedFolder(): Promise<string> {
  const folder = join(cacheFolder(), 'npx');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeIfChanged(join(folder, 'package.json'), '{}\n', 0o600);
    await writeIfChanged(join(folder, 'start'), start, 0o700);
    await writeIfChanged(join(folder, 'shell'), shell, 0o700);
    return folder;
  } catch (cause) {
    throw new TurnwireError(
      'launch-failed',
      `The agent could not be started: npx needs the folder ${folder}, which cannot be written: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/** Written only if the content differs: agents may start concurrently. */
async function writeIfChanged(path: string, text: string, mode: number): Promise<void> {
  if (readOwnFile(path) !== text) await replaceFile(path, text, mode);
  await chmod(path, mode);
}
