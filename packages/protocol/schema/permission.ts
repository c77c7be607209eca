import { bare, choice, list, meaning, object, required, string, tagged, variant } from './language.ts';
import { SessionId } from './session-id.ts';
import { ToolCallUpdate } from './tool-call.ts';

export const PermissionOptionId = meaning(string, 'Names an option of a permission request. The agent chooses it.');

export const PermissionOptionKind = choice('What choosing an option means.', {
  allow_once: 'Yes, this time.',
  allow_always: 'Yes, and do not ask again.',
  reject_once: 'No, this time.',
  reject_always: 'No, and do not ask again.',
});

export const PermissionOption = object('One of the answers the user can give.', {
  optionId: required(PermissionOptionId, 'What the outcome refers to.'),
  name: required(string, 'What the user reads.'),
  kind: required(PermissionOptionKind, 'What it means.'),
});

export const RequestPermissionRequest = object('Asks the user whether a tool may run.', {
  sessionId: required(SessionId, 'The session.'),
  toolCall: required(ToolCallUpdate, 'The tool call in question.'),
  options: required(list(PermissionOption), 'The answers to choose from.'),
});

export const SelectedPermissionOutcome = object('The user chose an option.', {
  optionId: required(PermissionOptionId, 'The option chosen.'),
});

export const RequestPermissionOutcome = tagged({
  description: 'How a permission request ended.',
  tag: 'outcome',
  variants: {
    cancelled: bare(
      'The turn was cancelled before the user answered. After `session/cancel`, the answer to every open permission request.',
    ),
    selected: variant(SelectedPermissionOutcome, 'The user chose an option.'),
  },
});

export const RequestPermissionResponse = object('What the user answered.', {
  outcome: required(RequestPermissionOutcome, 'How it ended.'),
});
