import { spawnSync } from 'node:child_process';

/** Whether this machine can make no sandbox, and what to say of it in the name of a test. */
export const withoutSandbox: boolean = spawnSync('bwrap', ['--ro-bind', '/', '/', 'true']).status !== 0;
export const unlessSandbox: string = withoutSandbox ? ' (skipped: bubblewrap makes no sandbox on this machine)' : '';
