import type { RequirementId } from '../../requirements/requirement.ts';
import type { RawMessage } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import type { AgentStage } from '../agent-stage.ts';
import type { Session } from '../session.ts';
import { promptFor } from '../steering.ts';
import type { Said } from './transcript.ts';

/** A session with a history, to be restored later. */
export interface KeptSession {
  readonly session: Session;
  readonly conversation: readonly Said[];
  /** The word that the agent says when it is asked to repeat what it did last; undefined if it does not. */
  readonly recalled: string | undefined;
}

/**
 * Holds a short conversation with an agent that advertises a way to bring sessions back.
 * @param beginning changes to the parameters of `session/new`, and a prompt for something to be done before the conversation
 */
export async function beginKeptSession(
  stage: AgentStage,
  offer: string,
  { changes = {}, first }: { readonly changes?: RawMessage; readonly first?: string | undefined } = {},
): Promise<KeptSession> {
  const agent = await stage.ready();
  agent.expectOffered(offer);
  const session = await agent.trySession(changes);
  const conversation: Said[] = [];
  if (first !== undefined) await session.prompt(first);
  const talk = async (prompt: string, word: string): Promise<boolean> => {
    const isSaid = (await session.prompt(prompt)).words.includes(word);
    conversation.push({ by: 'user', text: prompt });
    // The word alone: agents put warnings of the moment among what they say.
    if (isSaid) conversation.push({ by: 'agent', text: word });
    return isSaid;
  };
  await talk(stage.steer('say', { text: 'quince' }), 'quince');
  await talk(stage.steer('say', { text: 'medlar' }), 'medlar');
  const again = promptFor(stage.settings.steering, 'repeat', {});
  const isRecalled = again !== undefined && (await talk(again, 'medlar'));
  return { session, conversation, recalled: isRecalled ? 'medlar' : undefined };
}

/** Judges whether an agent still knows the conversation from before its session was restored. */
export async function seeRecalled(
  { see }: AgentStage,
  session: Session,
  [requirement, recalled]: readonly [RequirementId, string | undefined],
): Promise<void> {
  if (recalled === undefined) throw new Stopped('asked to repeat what it did last, the agent did not');
  const turn = await session.does('repeat');
  const isForgotten = !turn.words.includes(recalled);
  const fault = isForgotten && 'asked to repeat what it did last, as it did before, the agent no longer knew';
  see.check(requirement, fault, turn.entries);
}
