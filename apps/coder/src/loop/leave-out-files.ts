import { omitFiles } from '../conversation/omit-files.ts';
import type { ModelFailure } from '../model/model-failure.ts';
import type { CoderTurn } from '../session/session-memory.ts';

/**
 * Takes the files out of the conversation that may be why a provider refused a request: it would refuse every later request, too. These are
 * the files that no earlier request had; if there are none, and the refusal speaks of a picture, all of them.
 * @returns whose files they were; undefined if none was taken out
 */
export async function leaveOutFiles(turn: CoderTurn, failure: ModelFailure): Promise<'user' | 'tools' | undefined> {
  const { conversation } = turn.session.memory;
  const { messages } = conversation;
  const fresh = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  const namesFile = /image|picture|media|document|pdf|audio/i.test(failure.message);
  const from = [fresh, ...(namesFile ? [0] : [])].find((index) => omitFiles(messages, index) !== messages);
  if (from === undefined) return undefined;
  const changed = omitFiles(messages, from);
  const isOfUser = messages.some((message, index) => message !== changed[index] && message.role === 'user');
  conversation.omitFiles(from, (value) => turn.session.keep(value));
  await turn.notice({
    severity: 'warning',
    title: `The service of the model refused the request, perhaps because of ${isOfUser ? 'what is attached' : 'a picture that a tool returned'}: that is left out from now on.`,
  });
  return isOfUser ? 'user' : 'tools';
}
