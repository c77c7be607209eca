import { spawn } from 'node:child_process';
import { win32 } from 'node:path';
import { homeFolder } from '@turnwire/machine';

const systemRoot = process.env['SystemRoot'] ?? 'C:\\Windows';

/** Opens a page in the user's browser. Does nothing without a browser, for example over ssh. */
export function openUrl(url: string): void {
  const [program, ...words] = opener(url);
  const child = spawn(program, words, { cwd: homeFolder(), stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

function opener(url: string): readonly [string, ...string[]] {
  if (process.platform === 'darwin') return ['/usr/bin/open', url];
  // Not `start`, because its shell would parse the address as a command line.
  if (process.platform === 'win32')
    return [win32.join(systemRoot, 'System32', 'rundll32.exe'), 'url.dll,FileProtocolHandler', url];
  return ['xdg-open', url];
}
