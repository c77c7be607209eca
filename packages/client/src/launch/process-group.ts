const groups = new Set<number>();

/** Takes note of a group we own: it is killed if this process ends before {@link disown}. */
export function own(group: number): void {
  if (groups.size === 0) process.on('exit', killAll);
  groups.add(group);
}

/** The group has ended. */
export function disown(group: number): void {
  groups.delete(group);
  if (groups.size === 0) process.off('exit', killAll);
}

/** Signals every process of a group; signal 0 only asks. False if none is left. Without process groups (Windows) it is the leader alone. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(process.platform === 'win32' ? group : -group, signal);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function killAll(): void {
  for (const group of groups) signalGroup(group, 'SIGKILL');
}
