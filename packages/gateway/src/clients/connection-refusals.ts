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

/** Only the agent uses a session that it has started for a part of the work. */
export function isChild(sessionId: string): ProtocolError {
  return invalidParams(`sessionId: ${sessionId} is a child session, which a client can only cancel`);
}

/** An observer tried to change something. */
export function onlyObserves(): ProtocolError {
  return new ProtocolError(errorCodes.invalidRequest, 'This client may only watch: it is connected as an observer');
}

/** The client's token does not permit this. */
export function onlyOwner(what: string): ProtocolError {
  return invalidParams(`${what}: this needs a token of scope admin that the owner of the server made`);
}
