import type { AgentWork } from '@turnwire/protocol';
import type { TranscriptView } from '../transcript/transcript-view.ts';
import { childTree, flatTree, runningChildren } from './child-tree.ts';
import { isCallOver } from './times.ts';

/** A part of the agent's work as every surface lists it. */
export interface WorkItem {
  /** The title of the call, the command of the terminal, or the title of the session, as received. */
  readonly text: string;
  /** The work to cancel. Absent: the agent cannot cancel it separately. */
  readonly cancel?: AgentWork;
}

/** The work that the agent lists as in the background, without the child sessions that `runningChildren` shows as running, and those that have ended. */
export function backgroundItems(view: TranscriptView): readonly WorkItem[] {
  if (view.background.length === 0) return [];
  const ended = flatTree(childTree(view)).filter(({ node }) => node.isOver);
  const shown = new Set([...flatTree(runningChildren(view)), ...ended].map(({ node }) => node.key));
  return view.background
    .filter(({ type, sessionId = '' }) => type !== 'subagent' || !shown.has(sessionId))
    .map((work) => item(view, work));
}

/** A part of the agent's work that runs. */
export interface RunningItem extends WorkItem {
  /** The work, whether the agent can cancel it or not. */
  readonly work: AgentWork;
}

/** The number of last entries that are searched for running calls. */
const mostSearched = 64;

/** All running work that the agent can cancel separately. */
export function cancellableItems(view: TranscriptView): readonly WorkItem[] {
  return runningWork(view)
    .map((work) => item(view, work))
    .filter(({ cancel }) => cancel);
}

/** All running work: in the background, child sessions, and calls. */
export function runningItems(view: TranscriptView): readonly RunningItem[] {
  return runningWork(view).map((work) => ({ ...item(view, work), work }));
}

function runningWork(view: TranscriptView): readonly AgentWork[] {
  const { entries, background } = view;
  const listed = new Set(background.map(({ toolCallId }) => toolCallId));
  const calls = entries.slice(entries.length - mostSearched).flatMap((entry): AgentWork[] => {
    const isListed = entry.type !== 'tool-call' || isCallOver(entry) || listed.has(entry.toolCallId);
    return isListed ? [] : [{ type: 'tool_call', toolCallId: entry.toolCallId }];
  });
  return [...background, ...openChildren(view), ...calls];
}

/** The running child sessions that the agent does not list. */
function openChildren({ background, openChildren: ids }: TranscriptView): readonly AgentWork[] {
  const listed = new Set(background.map(({ sessionId }) => sessionId));
  return ids.filter((id) => !listed.has(id)).map((sessionId) => ({ type: 'subagent', sessionId }));
}

function item(view: TranscriptView, work: AgentWork): WorkItem {
  const { text, canCancel } = found(view, work);
  return { text, ...(canCancel === true && { cancel: work }) };
}

interface Found {
  readonly text: string;
  readonly canCancel?: boolean | undefined;
}

function found(view: TranscriptView, work: AgentWork): Found {
  const { type, toolCallId = '', sessionId = '' } = work;
  if (type === 'tool_call') return foundCall(view, toolCallId) ?? { text: toolCallId };
  if (type === 'subagent') return foundChild(view, sessionId) ?? { text: sessionId };
  return type === 'terminal' ? foundTerminal(view, work) : { text: type };
}

/** A terminal without a command has the title of its tool call. */
function foundTerminal(view: TranscriptView, { terminalId = '', toolCallId = '' }: AgentWork): Found {
  const { command = '', canCancel } = view.terminals.get(terminalId) ?? {};
  return { text: command || (foundCall(view, toolCallId)?.text ?? terminalId), canCancel };
}

function foundCall(view: TranscriptView, toolCallId: string): Found | undefined {
  const entry = view.entries.at(view.toolCallIndex(toolCallId) ?? -1);
  return entry?.type === 'tool-call' ? { text: entry.title, canCancel: entry.canCancel } : undefined;
}

function foundChild(view: TranscriptView, sessionId: string): Found | undefined {
  const index = view.childIndex(sessionId);
  const entry = index === undefined ? undefined : view.entries.at(index);
  if (entry?.type !== 'child-session') return undefined;
  if (entry.sessionId !== sessionId) return foundChild(entry.transcript, sessionId);
  return { text: entry.title ?? sessionId, canCancel: entry.canCancel };
}
