import { object, required } from './language.ts';
import { RequestId } from './request-id.ts';
import { SessionId } from './session-id.ts';

export const CancelNotification = object(
  'Stops the running turn of a session. The agent ends its work and answers the prompt with the stop reason `cancelled`; the client answers every open permission request with `cancelled`.',
  { sessionId: required(SessionId, 'The session whose turn is to stop.') },
);

export const CancelRequestNotification = object(
  'Tells the receiver that the answer to one of the sender’s requests is no longer wanted. It is still answered: with what there is, or with the error -32800.',
  { requestId: required(RequestId, 'The id the sender gave the request.') },
);
