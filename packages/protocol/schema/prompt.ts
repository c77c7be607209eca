import { ContentBlock } from './content.ts';
import { choice, list, object, required } from './language.ts';
import { SessionId } from './session-id.ts';

export const PromptRequest = object('What the user says. Begins a turn, which lasts until the answer.', {
  sessionId: required(SessionId, 'The session.'),
  prompt: required(
    list(ContentBlock),
    'The message. Text and links always; other blocks as far as the agent’s `promptCapabilities` allow.',
  ),
});

export const StopReason = choice('Why a turn ended.', {
  end_turn: 'The agent is done.',
  max_tokens: 'The model reached its limit of tokens.',
  max_turn_requests: 'The agent reached its limit of requests to the model in one turn.',
  refusal: 'The agent declined to go on. This prompt and what followed it will not be part of the next one.',
  cancelled: 'The client cancelled it. The only right reason after `session/cancel`.',
});

export const PromptResponse = object('The turn is over.', {
  stopReason: required(StopReason, 'Why it ended.'),
});
