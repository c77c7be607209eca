import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The processes of a run read its folder from this variable. */
const variable = 'TURNWIRE_TEST_FOLDER';

/**
 * Makes one folder for all files of a test run. It is `os.tmpdir()` of all processes of the run and of those they start, and the home of
 * configurations and sessions, so that tests do not touch those of the user. It is removed when the run ends, in any way. Its name is
 * short, because the path of a socket has at most 103 bytes.
 */
export function makeRunFolder(): void {
  if (process.env[variable] !== undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'tests-'));
  // Some tests switch to another user.
  chmodSync(folder, 0o755);
  process.env[variable] = folder;
  process.env['TMPDIR'] = folder;
  for (const kind of ['CONFIG', 'DATA', 'STATE'])
    process.env[`XDG_${kind}_HOME`] = join(folder, 'user', kind.toLowerCase());
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
}
