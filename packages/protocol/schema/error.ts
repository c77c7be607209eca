import { anything, openNumberChoice, optional, part, required, string } from './language.ts';

export const ErrorCode = openNumberChoice('What went wrong, as a number. Any other 32-bit integer may be met as well.', [
  [-32700, 'The text received is not JSON.'],
  [-32600, 'The JSON received is not a JSON-RPC message.'],
  [-32601, 'No such method here, or its capability was not advertised.'],
  [-32602, 'The parameters do not fit the method.'],
  [-32603, 'The handler failed for reasons of its own.'],
  [-32800, 'The request was given up, because its sender cancelled it or the receiver had to stop.'],
  [-32000, 'The user has to log in before this can be done.'],
  [-32002, 'There is no such session, file or other resource.'],
]);

export const Error = part('The answer to a request that failed.', {
  code: required(ErrorCode, 'What went wrong, for programs.'),
  message: required(string, 'What went wrong, for people: one short sentence.'),
  data: optional(anything, 'Details, in any form the sender likes.').orAbsent(),
});
