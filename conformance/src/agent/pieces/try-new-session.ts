import { Stopped } from '../../wire/stopped.ts';
import type { RawMessage } from '../../wire/journal.ts';
import { asMessage, type ReplyError } from '../../wire/messages.ts';
import type { Wire } from '../../wire/wire.ts';
import type { AgentStage } from '../agent-stage.ts';
import { loginFirst } from '../failed-turn.ts';
import { refusalWords } from './refusal-words.ts';

/** A session that could have been refused. */
export interface TriedSession {
  readonly id: string;
  readonly result: RawMessage;
}

/** Begins a session with something an agent may refuse: then the scenario stops, and nothing is held against it. */
export async function tryNewSession(stage: AgentStage, wire: Wire, changes: RawMessage): Promise<TriedSession> {
  const { result, error } = await wire.ask('session/new', { cwd: stage.folder, mcpServers: [], ...changes });
  if (error?.code === -32_000) throw new Stopped(loginFirst);
  const answer = asMessage(result);
  const id = answer?.['sessionId'];
  if (answer === undefined || typeof id !== 'string') throw new Stopped(refused(changes, error));
  return { id, result: answer };
}

function refused(changes: RawMessage, error: ReplyError | undefined): string {
  const asked = ['a session', ...Object.keys(changes)].join(' with ');
  return `${asked} was refused: ${error === undefined ? 'there is no session id' : refusalWords(error)}`;
}
