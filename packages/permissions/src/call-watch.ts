import { type SessionUpdate, toolCallChanges, type ToolCallUpdate } from '@turnwire/protocol';
import { actionOf, kindOf } from './action.ts';
import type { Action, Decision, UnaskedCall } from './permissions.ts';

/** The recorded state of a tool call. */
interface WatchedCall {
  /** The fields that define its effect; empty once it has ended. */
  facts: ToolCallUpdate;
  wasAsked: boolean;
  isOver: boolean;
}

/** The maximum number of calls that are remembered. The oldest are forgotten. */
const most = 20_000;

/** Follows tool calls, to complete permission requests and to detect tools that ran without asking. */
export class CallWatch {
  /** Created for the first call. */
  #calls: Map<string, WatchedCall> | undefined;
  #judged: Set<string> | undefined;
  readonly #commandInTitleOf: string | undefined;

  /** @param commandInTitleOf id prefix of calls whose title is their command */
  constructor(commandInTitleOf: string | undefined) {
    this.#commandInTitleOf = commandInTitleOf;
  }

  /** Completes a permission request: missing fields come from the announcement of the call. */
  ask(sessionId: string, update: ToolCallUpdate): ToolCallUpdate {
    const call = this.#callOf(sessionId, update.toolCallId);
    call.wasAsked = true;
    call.facts = this.#learn(call, update);
    return call.facts;
  }

  /** Records that a host service did this for the agent after a decision. */
  noteHostCall(action: Action): void {
    const judged = (this.#judged ??= new Set());
    for (const key of keysOf(action)) remember(judged, key);
  }

  /** Returns the action that has just run without asking, once for each call. `rootsOf` finds the folders of a session. */
  observe(
    sessionId: string,
    update: SessionUpdate,
    rootsOf: (sessionId: string) => readonly string[],
  ): Action | undefined {
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return undefined;
    const call = this.#callOf(sessionId, update.toolCallId);
    if (call.isOver) return undefined;
    call.facts = this.#learn(call, update);
    if (!hasRun(update)) return undefined;
    const toolCall = call.facts;
    call.isOver = true;
    call.facts = { toolCallId: update.toolCallId };
    // Most calls only read: their action would be derived for nothing.
    const mustAsk = /^(?:edit|delete|move|execute)$/.test(kindOf(toolCall));
    if (call.wasAsked || update.status === 'failed' || !mustAsk) return undefined;
    const action = actionOf({ sessionId, toolCall }, rootsOf(sessionId));
    return this.#wasJudged(action) ? undefined : action;
  }

  /** Merges the fields that define the effect of a call. Titles and the texts of diffs are left out. */
  #learn({ facts }: WatchedCall, update: ToolCallUpdate): ToolCallUpdate {
    const { kind, name, rawInput, locations, content } = { ...facts, ...toolCallChanges(update) };
    const diffs = content?.flatMap((each) =>
      each.type === 'diff' ? [{ type: each.type, path: each.path, newText: '' } as const] : [],
    );
    const known: ToolCallUpdate = {
      toolCallId: facts.toolCallId,
      ...{ kind, name, rawInput },
      locations: locations?.length ? locations : facts.locations,
      content: diffs?.length ? diffs : facts.content,
    };
    const isCommand = this.#commandInTitleOf !== undefined && update.toolCallId.startsWith(this.#commandInTitleOf);
    if (!isCommand || known.kind !== 'execute' || !update.title || (known.rawInput ?? undefined) !== undefined)
      return known;
    return { ...known, rawInput: { command: update.title } };
  }

  #callOf(sessionId: string, toolCallId: string): WatchedCall {
    const key = `${sessionId}\0${toolCallId}`;
    const calls = (this.#calls ??= new Map());
    const known = calls.get(key);
    if (known) return known;
    const call: WatchedCall = { facts: { toolCallId }, wasAsked: false, isOver: false };
    calls.set(key, call);
    if (calls.size > most) forgetOldest(calls);
    return call;
  }

  #wasJudged(action: Action): boolean {
    const keys = keysOf(action);
    return keys.length > 0 && keys.every((key) => this.#judged?.has(key) === true);
  }
}

/** The text for the user about a call that ran without asking. */
export function unasked(action: Action, { reason }: Decision): UnaskedCall {
  const what =
    action.command === undefined
      ? `a tool of kind ${action.kind} (${action.paths.join(', ') || 'no file given'})`
      : `the command ${action.command}`;
  return {
    toolCallId: action.toolCallId ?? '',
    explanation: `The agent ran ${what} without asking for permission. It would have been ${reason}. Configure in the agent itself, or with its mode, what it may do without asking.`,
  };
}

/**
 * Whether a call has certainly run. `in_progress` alone is not proof, because many agents announce a call as running before they ask.
 * Output is proof.
 */
function hasRun({ status, rawOutput, _meta }: ToolCallUpdate): boolean {
  if (status === 'completed' || status === 'failed') return true;
  const output = rawOutput ?? _meta?.['terminal_output'] ?? _meta?.['terminal_output_delta'] ?? undefined;
  return status !== 'pending' && output !== undefined;
}

function keysOf({ sessionId, command, paths }: Action): readonly string[] {
  return command === undefined
    ? paths.map((path) => `${sessionId}\0path\0${path}`)
    : [`${sessionId}\0command\0${command.trim()}`];
}

function remember(set: Set<string>, key: string): void {
  set.add(key);
  if (set.size > most) forgetOldest(set);
}

function forgetOldest(all: Set<string> | Map<string, unknown>): void {
  const { value, done } = all.keys().next();
  if (!done) all.delete(value);
}
