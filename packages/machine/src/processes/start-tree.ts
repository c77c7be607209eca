import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { freshMark, markValue, markVariable } from './launch-mark.ts';
import { own } from './owned-trees.ts';
import { ProcessTree } from './process-tree.ts';

/** Where and with what a process is started. */
export interface ProcessPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What to hand to `spawn` for a command. */
export interface SpawnRule {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are the command line as it is: on Windows alone, and there only for its command processor. */
  readonly windowsVerbatimArguments: boolean;
}

/** A process that was started, with all that will come of it. */
export interface Started<Child extends ChildProcess> {
  readonly child: Child;
  readonly tree: ProcessTree;
}

/**
 * Starts a process that leads a tree of its own, owned until it is disowned. Rejects with what `spawn` reports.
 * When it succeeds it does so before anything else can happen: the tree is owned on return, not on a later tick.
 */
export function startTree<Child extends ChildProcess>(
  rule: SpawnRule,
  { cwd, env }: ProcessPlace,
  stdio: StdioOptions,
): Started<Child> | Promise<never> {
  const mark = freshMark();
  const child = spawn(rule.file, rule.args, {
    cwd,
    env: { ...env, [markVariable]: markValue(mark) },
    // Detached means a session and a process group of its own: a terminal's Ctrl-C is ours alone to handle.
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
