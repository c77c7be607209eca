import { resolve } from 'node:path';
import type { Diff } from '@turnwire/protocol';
import type { Action } from './permissions.ts';
import { editsDone } from './edits-done.ts';
import { toolClass } from './tool-name.ts';

interface Allowance {
  readonly action: Action;
  /** Not used yet, with the edits of each that somebody saw. */
  readonly paths: Map<string, readonly Diff[]>;
  /** Whether nothing may be written but what somebody saw. */
  readonly isBound: boolean;
}

/** What was allowed before says about a call: it was allowed; another text was; no text was shown; nothing. */
export type Allowed = 'yes' | 'other-text' | 'unseen-text' | 'no';

/** What was allowed in the running turns and not done yet, as far as it will come back as a call of a host service. */
export class TurnAllowances {
  readonly #bySession = new Map<string, Allowance[]>();

  /**
   * Takes note of what was allowed.
   * @param shown the diffs of it that somebody saw: of the files it touches, nothing else may be written. Absent: a rule or a mode
   * allowed it, whatever is written
   */
  add(action: Action, shown?: readonly Diff[]): void {
    const list = this.#bySession.get(action.sessionId) ?? [];
    const start = action.cwd ?? action.roots[0] ?? '/';
    const diffsOf = (path: string): readonly Diff[] =>
      shown?.filter((diff) => resolve(start, diff.path) === path) ?? [];
    const paths = new Map(action.paths.map((path) => [path, diffsOf(path)]));
    list.push({ action, paths, isBound: shown !== undefined });
    if (list.length > most) list.shift();
    this.#bySession.set(action.sessionId, list);
  }

  /**
   * Whether this was allowed. It is then used up: once allowed is once done. Only reading leaves it as it is, as agents look first.
   * @param write what a write makes of the file as it is now. Without it, only a whole text is recognised, by its hash
   */
  take(call: Action, write?: Diff): Allowed {
    const list = this.#bySession.get(call.sessionId) ?? [];
    let found: Allowed = 'no';
    for (const allowance of list.filter((each) => isFor(each, call))) {
      const allowed = taken(allowance, call, write);
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
    if (sessionId === undefined) this.#bySession.clear();
    else this.#bySession.delete(sessionId);
  }
}

/** Allowances of a session that are kept; the oldest are forgotten. */
const most = 1_000;

function isFor({ action, paths }: Allowance, call: Action): boolean {
  if (call.command !== undefined) return isSameCommand(action, call);
  if (action.command !== undefined || (changes(call) && isTame(action))) return false;
  if (call.paths.length > 0 && call.paths.every((path) => paths.has(path))) return true;
  // What the user allowed without seeing a path is only as good as the call it was for.
  return action.paths.length === 0 && action.toolCallId !== undefined && action.toolCallId === call.toolCallId;
}

/** Uses up what the call does, if it was allowed. */
function taken({ paths, isBound }: Allowance, call: Action, write: Diff | undefined): Allowed {
  if (call.command !== undefined || !changes(call)) return 'yes';
  if (!isBound) {
    for (const path of call.paths) paths.delete(path);
    return 'yes';
  }
  // What writes a text writes one file.
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

/** To have read a file is no leave to write it. */
function isTame({ kind }: Action): boolean {
  return /^(?:Read|Search|WebFetch|Think|SwitchMode)$/.test(toolClass(kind) ?? '');
}
