import { spawn } from 'node:child_process';

/** Opens a page in the person's browser. Where there is none, such as over ssh, nothing happens. */
export function openUrl(url: string): void {
  const [program, ...words] = opener(url);
  const child = spawn(program, words, { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

function opener(url: string): readonly [string, ...string[]] {
  if (process.platform === 'darwin') return ['open', url];
  // Not `start`, whose shell would read the address as a command line.
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  return ['xdg-open', url];
}
