import type { RequirementId } from '../../requirements/requirement.ts';
import { Stopped } from '../../wire/stopped.ts';
import type { RawMessage } from '../../wire/journal.ts';
import type { Wire } from '../../wire/wire.ts';
import type { AgentStage, Initialized } from '../agent-stage.ts';
import { wordsIn } from './frames.ts';
import { promptFor } from '../steering.ts';
import { expectOffered } from './offered.ts';
import type { Said } from './transcript.ts';
import { tryNewSession } from './try-new-session.ts';

/** A session with a history, to be restored later. */
export interface KeptSession {
  readonly wire: Wire;
  readonly initialized: Initialized;
  readonly sessionId: string;
  readonly conversation: readonly Said[];
  /** The word that the agent says when it is asked to repeat what it did last; undefined if it does not. */
  readonly recalled: string | undefined;
}

/** How a conversation is begun that is to be kept. */
export interface Beginning {
  /** Changes to the parameters of `session/new`. */
  readonly changes?: RawMessage;
  /** A prompt for something to be done before the conversation. Default: none. */
  readonly first?: string | undefined;
}

/** Holds a short conversation with an agent that advertises a way to bring sessions back. */
export async function beginKeptSession(
  stage: AgentStage,
  offer: 'loadSession' | 'sessionCapabilities.resume',
  { changes = {}, first }: Beginning = {},
): Promise<KeptSession> {
  const { wire, initialized } = await stage.ready();
  expectOffered(initialized, offer);
  const { id: sessionId } = await tryNewSession(stage, wire, changes);
  const conversation: Said[] = [];
  if (first !== undefined) await stage.prompt(wire, sessionId, first);
  const talk = async (prompt: string, word: string): Promise<boolean> => {
    const isSaid = wordsIn((await stage.prompt(wire, sessionId, prompt)).entries).includes(word);
    conversation.push({ by: 'user', text: prompt });
    // The word alone: agents put warnings of the moment among what they say.
    if (isSaid) conversation.push({ by: 'agent', text: word });
    return isSaid;
  };
  await talk(stage.steer('say', { text: 'quince' }), 'quince');
  await talk(stage.steer('say', { text: 'medlar' }), 'medlar');
  const again = promptFor(stage.settings.steering, 'repeat', {});
  const isRecalled = again !== undefined && (await talk(again, 'medlar'));
  return { wire, initialized, sessionId, conversation, recalled: isRecalled ? 'medlar' : undefined };
}

/** Judges whether an agent still knows the conversation from before its session was restored. */
export async function seeRecalled(
  stage: AgentStage,
  { wire, sessionId }: { readonly wire: Wire; readonly sessionId: string },
  { recalled, requirement }: { readonly recalled: string | undefined; readonly requirement: RequirementId },
): Promise<void> {
  if (recalled === undefined) throw new Stopped('asked to repeat what it did last, the agent did not');
  const { entries } = await stage.prompt(wire, sessionId, stage.steer('repeat', {}));
  stage.see.check(requirement, wordsIn(entries).includes(recalled), {
    otherwise: 'asked to repeat what it did last, as it did before, the agent no longer knew',
    evidence: entries,
  });
}
