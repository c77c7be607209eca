import { isAnswerTo, type JournalEntry } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import type { Wire } from '../../wire/wire.ts';
import type { AgentStage } from '../agent-stage.ts';

/** A method that no agent has: it is answered with an error, and nothing else. */
export const unknownMethod = '_turnwire.dev/nothing';

/** A request for the method that no agent has, as text. */
export function unknownRequest(id: unknown, params: unknown = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: unknownMethod, params });
}

/** The next line that answers anything at all, whatever its id. */
export function nextAnswer(wire: Wire, from: number): Promise<JournalEntry | undefined> {
  return wire.next((message) => message['method'] === undefined, { from });
}

/** An agent that answers requests for the method that no agent has: the answer to one shows that it was read. */
export async function readyToAnswer(stage: AgentStage): Promise<Wire> {
  const { wire } = await stage.ready();
  await expectAnswer(wire);
  return wire;
}

/** Continues only if a request for the method that no agent has is answered: otherwise silence says nothing about anything else. */
export async function expectAnswer(wire: Wire): Promise<void> {
  const id = 'is this answered';
  const request = wire.sendText(unknownRequest(id));
  const answer = await wire.next((message) => isAnswerTo(id, message));
  if (answer !== undefined || wire.hasEnded) return;
  const reason = `a request for ${unknownMethod}, which no agent knows, was not answered`;
  throw new Stopped(reason, { requirement: 'R284', evidence: [request] });
}

/** The end of a scenario in which the agent ended after what stands in the journal from an index on. */
export function endedAfter(wire: Wire, from: number): Stopped {
  return new Stopped('the connection ended', { requirement: 'R368', evidence: wire.journal.slice(from) });
}

/** The answers since an index of the journal, but one. */
export function answersBut(
  wire: Wire,
  { from, entry: known }: { readonly from: number; readonly entry: JournalEntry },
): ReturnType<Wire['received']> {
  return wire.received(from).filter(({ entry, message }) => entry !== known && message['method'] === undefined);
}
