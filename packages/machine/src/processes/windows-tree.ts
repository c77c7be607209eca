import { spawnSync } from 'node:child_process';
import { win32 } from 'node:path';

/**
 * The command that ends a process and its descendants on Windows, where processes cannot be asked to exit: there is only `/F`. Processes
 * that outlived their parent are not found.
 */
export function taskkill(pid: number, systemRoot: string = 'C:\\Windows'): readonly [file: string, args: string[]] {
  return [win32.join(systemRoot, 'System32', 'taskkill.exe'), ['/PID', String(pid), '/T', '/F']];
}

/** False if no process was found. SIGTERM does nothing, because Windows has no signals. */
export function killWindowsTree(pid: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  if (signal === 'SIGTERM') return true;
  const [file, args] = taskkill(pid, process.env['SystemRoot']);
  return spawnSync(file, args, { stdio: 'ignore', windowsHide: true }).status === 0;
}
