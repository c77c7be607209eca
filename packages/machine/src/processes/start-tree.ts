import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import type { EnvironmentVariables } from '../own-folders.ts';
import { freshMark, markValue, markVariable } from './launch-mark.ts';
import { own } from './owned-trees.ts';
import { ProcessTree } from './process-tree.ts';
import type { SpawnRule } from './spawn-rules.ts';

/** The working directory and environment of a process. */
export interface ProcessContext {
  readonly cwd: string;
  readonly env: EnvironmentVariables;
}

/** A started process and its tree. */
export interface Started<Child extends ChildProcess> {
  readonly child: Child;
  readonly tree: ProcessTree;
}

/**
 * Starts a process that leads its own tree, owned until it is disowned. Rejects with the error of `spawn`. Success is synchronous: the tree
 * is owned on return, not on a later tick.
 */
export function startTree<Child extends ChildProcess>(
  rule: SpawnRule,
  { cwd, env }: ProcessContext,
  stdio: StdioOptions,
): Started<Child> | Promise<never> {
  const mark = freshMark();
  const child = spawn(rule.file, rule.args, {
    cwd,
    env: { ...env, [markVariable]: markValue(mark) },
    // Detached means its own session and process group: only this process handles a terminal's Ctrl-C.
    detached: process.platform !== 'win32',
    stdio,
    windowsHide: true,
    windowsVerbatimArguments: rule.windowsVerbatimArguments,
  }) as Child;
  if (child.pid === undefined) return once(child, 'error').then(([error]) => Promise.reject(error as Error));
  const tree = new ProcessTree(child.pid, mark);
  own(tree);
  return { child, tree };
}
