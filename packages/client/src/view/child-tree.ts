import type { AgentWork, Cost } from '@turnwire/protocol';
import { fieldsOf } from '../transcript/tool-call-data.ts';
import type {
  ChildSessionEntry,
  ToolCallEntry,
  TranscriptEntry,
  TranscriptView,
} from '../transcript/transcript-view.ts';
import { cleanLine } from '../unseen-characters/clean-text.ts';
import { childBlock } from './child-block.ts';
import { isCallOver } from './times.ts';

/** A subagent as every surface shows it in the tree of a session. Texts are as received. */
export interface ChildNode {
  /** Identifies it in the session. */
  readonly key: string;
  /** Never empty. */
  readonly title: string;
  /** The kind of subagent, or the agent that works in it, unless the title says it. */
  readonly name?: string;
  /** `running`, `waiting for you`, `finished`, or why it ended; a clause. */
  readonly stateText: string;
  readonly isOver: boolean;
  readonly isFailure: boolean;
  /** Its current or last action; a line. Empty before its first one. */
  readonly action: string;
  /** The tokens in its context. Absent: unknown. */
  readonly tokens?: number;
  /** The cost so far. Absent: unknown. */
  readonly cost?: Cost;
  /** The work to cancel. Absent: the agent cannot cancel it separately. */
  readonly cancel?: AgentWork;
  /** The subagents that it has started, oldest first. */
  readonly children: readonly ChildNode[];
}

/** The number of last entries that are searched for subagents that ended, and for calls with parts: the tree is for the work at hand. */
const mostSearched = 512;

/**
 * The subagents of a session, oldest first, each with those that it has started: child sessions, and calls to which the agent reports other
 * calls as parts. A call whose work is in a child session is not listed again.
 */
export function childTree(view: TranscriptView): readonly ChildNode[] {
  const start = Math.max(view.knownFrom, view.entries.length - mostSearched);
  const entries = [...earlierRunning(view, start), ...view.entries.slice(start)];
  const parts = grouped(entries);
  return entries.flatMap((entry) => {
    if (entry.type === 'child-session') return [sessionNode(entry)];
    const isRoot = entry.type === 'tool-call' && entry.parentKey === undefined && parts.has(entry.key);
    return isRoot ? [callNode(entry, parts)] : [];
  });
}

/** The child sessions before an entry that run, oldest first. */
function earlierRunning(view: TranscriptView, start: number): readonly TranscriptEntry[] {
  return view.openChildren
    .map((id) => view.childIndex(id) ?? start)
    .filter((index) => index < start)
    .toSorted((one, other) => one - other)
    .flatMap((index) => view.entries.at(index) ?? []);
}

/** The subagents that run, with those that ended among them: empty if none runs. */
export function runningChildren(view: TranscriptView): readonly ChildNode[] {
  const isRunning = ({ isOver, children }: ChildNode): boolean => !isOver || children.some(isRunning);
  return childTree(view).filter(isRunning);
}

/** The nodes of a tree, each with its depth from 0, parents before their children. */
export function flatTree(
  nodes: readonly ChildNode[],
  depth = 0,
): readonly { readonly node: ChildNode; readonly depth: number }[] {
  return nodes.flatMap((node) => [{ node, depth }, ...flatTree(node.children, depth + 1)]);
}

function sessionNode(entry: ChildSessionEntry): ChildNode {
  const { title, stateText, isOver, isFailure, lastLine, canCancel, transcript } = childBlock(entry);
  const { usage, cost } = transcript;
  const { sessionId, name } = entry;
  return {
    ...{ key: sessionId, title, stateText, isOver, isFailure, action: lastLine },
    ...(name !== undefined && name !== title && { name }),
    ...(usage && { tokens: usage.used }),
    ...(cost && { cost }),
    ...(canCancel && { cancel: { type: 'subagent', sessionId } }),
    // The agent cancels a call only for the session that it belongs to.
    children: childTree(transcript).map(({ cancel, ...node }) => ({
      ...node,
      ...(cancel?.type === 'subagent' && { cancel }),
    })),
  };
}

type Parts = ReadonlyMap<string, readonly ToolCallEntry[]>;

function callNode(call: ToolCallEntry, parts: Parts): ChildNode {
  const own = parts.get(call.key) ?? [];
  const { agent, subagent_type: kind } = fieldsOf(call.rawInput) ?? {};
  const name = [agent, kind].find((each): each is string => typeof each === 'string' && each !== '');
  const { toolCallId, state } = call;
  const title = cleanLine(call.title) === '' ? toolCallId : call.title;
  const last = own.findLast((each) => !isCallOver(each)) ?? own.at(-1);
  const isOver = isCallOver(call);
  return {
    ...{ key: call.key, title, isOver, isFailure: state === 'failed', action: cleanLine(last?.title ?? '') },
    stateText: callStateText(call, own),
    ...(name !== undefined && name !== title && { name }),
    ...(call.canCancel === true && !isOver && { cancel: { type: 'tool_call', toolCallId } }),
    children: own.filter((each) => parts.has(each.key)).map((each) => callNode(each, parts)),
  };
}

function callStateText(call: ToolCallEntry, parts: readonly ToolCallEntry[]): string {
  if (call.state === 'completed') return 'finished';
  if (isCallOver(call)) return call.state === 'abandoned' ? 'not finished' : call.state;
  return [call, ...parts].some(({ permission }) => permission?.state === 'asked') ? 'waiting for you' : 'running';
}

/** The calls that are parts of others, by the key of those. */
function grouped(entries: readonly TranscriptEntry[]): Parts {
  const parts = new Map<string, ToolCallEntry[]>();
  for (const entry of entries) {
    if (entry.type !== 'tool-call' || entry.parentKey === undefined) continue;
    const known = parts.get(entry.parentKey);
    if (known) known.push(entry);
    else parts.set(entry.parentKey, [entry]);
  }
  return parts;
}
