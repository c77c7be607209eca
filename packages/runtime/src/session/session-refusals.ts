import { errorCodes, ProtocolError } from '@turnwire/protocol';

/** The error for a prompt beyond the limit of waiting prompts. */
export function tooManyPrompts(queue: number): ProtocolError {
  return new ProtocolError(
    errorCodes.invalidRequest,
    `The session has ${queue} waiting prompts already: wait for an answer, or cancel`,
  );
}

/** The error for a waiting prompt that another gateway has taken over. */
export function handedOver(): ProtocolError {
  return new ProtocolError(
    errorCodes.internalError,
    'This server is shutting down: the prompt runs on another one. Connect again, and load the session to see it',
    { turnwire: { code: 'handed-over' } },
  );
}

/** The error for every prompt of a session that cannot be stored. */
export function notStored({ message }: Error): ProtocolError {
  const reason = `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return new ProtocolError(
    errorCodes.internalError,
    `${reason}. Output that cannot be stored is not shown, so the session has stopped. Free some space and load it again`,
  );
}

/** The error for a prompt that must not be sent because the agent has lost the context. */
export function notSent(): ProtocolError {
  return new ProtocolError(
    errorCodes.invalidRequest,
    'The prompt was not sent: the agent has lost the session, and another one was begun. The next prompt goes to that one',
  );
}
