import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the processes of a run find its folder. */
const variable = 'TURNWIRE_TEST_FOLDER';

/**
 * Makes one folder for what a run of tests writes: `os.tmpdir()` of all its processes, and of those they start, and where they look for
 * configurations and keep sessions, which are none of the user's who runs the tests. It is removed when the run ends, however it ends. Its
 * name is short, since the path of a socket may be no longer than 103 bytes.
 */
export function makeRunFolder(): void {
  if (process.env[variable] !== undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'tests-'));
  // Some tests are another user for a while.
  chmodSync(folder, 0o755);
  process.env[variable] = folder;
  process.env['TMPDIR'] = folder;
  for (const kind of ['CONFIG', 'DATA', 'STATE'])
    process.env[`XDG_${kind}_HOME`] = join(folder, 'user', kind.toLowerCase());
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
}
