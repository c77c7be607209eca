import type { Action } from './permissions.ts';
import { toolClass } from './tool-name.ts';

interface Allowance {
  readonly action: Action;
  /** Not used yet. */
  readonly paths: Set<string>;
}

/** What was allowed in the running turns and not done yet, as far as it will come back as a call of a host service. */
export class TurnAllowances {
  readonly #bySession = new Map<string, Allowance[]>();

  add(action: Action): void {
    const list = this.#bySession.get(action.sessionId) ?? [];
    list.push({ action, paths: new Set(action.paths) });
    if (list.length > most) list.shift();
    this.#bySession.set(action.sessionId, list);
  }

  /** Whether this was allowed. It is then used up: once allowed is once done. Only reading leaves it as it is, as agents look first. */
  take(call: Action): boolean {
    const list = this.#bySession.get(call.sessionId) ?? [];
    const at = list.findIndex((allowance) => isFor(allowance, call));
    const found = list[at];
    if (!found) return false;
    if (call.command === undefined && !changes(call)) return true;
    for (const path of call.paths) found.paths.delete(path);
    if (found.paths.size === 0 || call.command !== undefined) list.splice(at, 1);
    return true;
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
  // What the person allowed without seeing a path is only as good as the call it was for.
  return action.paths.length === 0 && action.toolCallId !== undefined && action.toolCallId === call.toolCallId;
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
