import { errorCodes, invalidParams, ProtocolError } from '@turnwire/protocol';

/** The client has not loaded or resumed the session. */
export function notOpen(sessionId: string): ProtocolError {
  return new ProtocolError(
    errorCodes.resourceNotFound,
    `The session ${sessionId} is not open here: load or resume it first`,
    {
      sessionId,
    },
  );
}

/** The client changes what it may only watch. */
export function onlyObserves(): ProtocolError {
  return new ProtocolError(errorCodes.invalidRequest, 'This client may only watch: it is connected as an observer');
}

/** The token of the client is not enough for this. */
export function onlyOwner(what: string): ProtocolError {
  return invalidParams(`${what}: this needs a token of scope admin that the owner of the server made`);
}
