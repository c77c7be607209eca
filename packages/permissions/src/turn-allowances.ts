import { resolve } from 'node:path';
import type { Diff } from '@turnwire/protocol';
import type { Action } from './permissions.ts';
import { editsDone } from './edits-done.ts';
import { toolClass } from './tool-name.ts';

interface Allowance {
  readonly action: Action;
  /** The unused paths, each with the edits that were shown. */
  readonly paths: Map<string, readonly Diff[]>;
  /** Whether only the shown text may be written. */
  readonly isBound: boolean;
}

/** The earlier decision about a call: `yes`, another text was allowed, no text was shown, or `no`. */
export type Allowed = 'yes' | 'other-text' | 'unseen-text' | 'no';

/** The actions that were allowed in the running turns and not yet performed, to recognise them as host calls. */
export class TurnAllowances {
  #bySession: Map<string, Allowance[]> | undefined;

  /**
   * Records an allowed action.
   * @param shown the diffs that the question showed: only these may be written. Absent if a rule or a mode allowed it, with any text
   */
  add(action: Action, shown?: readonly Diff[]): void {
    const bySession = (this.#bySession ??= new Map());
    const list = bySession.get(action.sessionId) ?? [];
    const start = action.cwd ?? action.roots[0] ?? '/';
    const diffsOf = (path: string): readonly Diff[] =>
      shown?.filter((diff) => resolve(start, diff.path) === path) ?? [];
    const paths = new Map(action.paths.map((path) => [path, diffsOf(path)]));
    list.push({ action, paths, isBound: shown !== undefined });
    if (list.length > most) list.shift();
    bySession.set(action.sessionId, list);
  }

  /**
   * Uses up the permission for a call, which is valid for one call. Reading does not use it up, because agents read first.
   * @param write the change of the file's current content. Without it, only a whole text is recognised, by its hash
   */
  take(call: Action, write?: Diff): Allowed {
    const list = this.#bySession?.get(call.sessionId) ?? [];
    let found: Allowed = 'no';
    for (const allowance of list.filter((each) => isFor(each, call))) {
      const allowed = useUp(allowance, call, write);
      if (allowed === 'yes') {
        const isUsedUp = call.command !== undefined || (changes(call) && allowance.paths.size === 0);
        if (isUsedUp) list.splice(list.indexOf(allowance), 1);
        return 'yes';
      }
      if (found !== 'other-text') found = allowed;
    }
    return found;
  }

  forget(sessionId: string | undefined): void {
    if (sessionId === undefined) this.#bySession = undefined;
    else this.#bySession?.delete(sessionId);
  }
}

/** The maximum number of permissions stored for a session. The oldest are forgotten. */
const most = 1_000;

function isFor({ action, paths }: Allowance, call: Action): boolean {
  if (call.command !== undefined) return isSameCommand(action, call);
  if (action.command !== undefined || (changes(call) && isHarmless(action))) return false;
  if (call.paths.length > 0 && call.paths.every((path) => paths.has(path))) return true;
  // A permission without a path applies only to its own call.
  return action.paths.length === 0 && action.toolCallId !== undefined && action.toolCallId === call.toolCallId;
}

/** Uses up the permission of a call, if there is one. */
function useUp({ paths, isBound }: Allowance, call: Action, write: Diff | undefined): Allowed {
  if (call.command !== undefined || !changes(call)) return 'yes';
  if (!isBound) {
    for (const path of call.paths) paths.delete(path);
    return 'yes';
  }
  // A call that writes a text writes a single file.
  const [path = ''] = call.paths;
  const shown = (call.paths.length === 1 && paths.get(path)) || [];
  if (shown.length === 0) return 'unseen-text';
  const done = editsDone(shown, call.writes, write);
  if (done === 0) return 'other-text';
  if (done < shown.length) paths.set(path, shown.slice(done));
  else paths.delete(path);
  return 'yes';
}

function isSameCommand(action: Action, call: Action): boolean {
  const isSameFolder = action.cwd === undefined || call.cwd === undefined || action.cwd === call.cwd;
  return isSameFolder && action.command !== undefined && action.command.trim() === call.command?.trim();
}

function changes({ kind }: Action): boolean {
  return /^(?:edit|delete|move)$/.test(kind);
}

/** A permission to read a file does not allow writing it. */
function isHarmless({ kind }: Action): boolean {
  return /^(?:Read|Search|WebFetch|Think|SwitchMode)$/.test(toolClass(kind) ?? '');
}
