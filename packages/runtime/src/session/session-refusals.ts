import { errorCodes, ProtocolError } from '@turnwire/protocol';

/** One more prompt would wait than may. */
export function tooManyPrompts(queue: number): ProtocolError {
  return new ProtocolError(
    errorCodes.invalidRequest,
    `The session has ${queue} waiting prompts already: wait for an answer, or cancel`,
  );
}

/** The prompt has not begun, and another gateway has it now. */
export function handedOver(): ProtocolError {
  return new ProtocolError(
    errorCodes.internalError,
    'This server ends: the prompt runs on another one. Connect again, and load the session to see it',
    { turnwire: { code: 'handed-over' } },
  );
}

/** What happens cannot be stored, so nothing happens any more. */
export function notStored({ message }: Error): ProtocolError {
  const reason = `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return new ProtocolError(
    errorCodes.internalError,
    `${reason}. Output that cannot be stored is not shown, so the session has stopped. Free some space and load it again`,
  );
}

/** The agent has lost what the prompt refers to, and the client wants it to be sent only with that. */
export function notSent(): ProtocolError {
  return new ProtocolError(
    errorCodes.invalidRequest,
    'The prompt was not sent: the agent has lost the session, and another one was begun. The next prompt goes to that one',
  );
}
