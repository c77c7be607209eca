const chunk = (text: unknown): object => ({
  method: 'session/update',
  params: { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
});
const line = (fields: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...fields })}\n`;
const answer = (result: unknown): string => line({ id: 0, result });

/** The output of an agent after the client has sent `session/new` with the id 0, by name. A valid update and an answer to `_ping` follow. */
export const clientScenarios: Readonly<Record<string, string>> = {
  'a line of a log on stdout': `Listening on port 80\n${answer({ sessionId: 's' })}`,
  'lines of a log in JSON': `{"level":"info","secret":"x"}\n${answer({ sessionId: 's' })}`,
  'a valid answer': answer({ sessionId: 's' }),
  'an answer without the session': answer({}),
  'an answer that is null': answer(null),
  'an answer twice': answer({ sessionId: 's' }) + answer({ sessionId: 'other' }),
  'an answer whose id is a string': line({ id: '0', result: { sessionId: 's' } }),
  'an answer without jsonrpc': '{"id":0,"result":{"sessionId":"s"}}\n',
  'an answer without result and error': line({ id: 0 }),
  'an error that is a string': line({ id: 0, error: 'failed' }),
  'an error without a code': line({ id: 0, error: { message: 'failed' } }),
  'an update of an unknown kind': line({
    method: 'session/update',
    params: { sessionId: 's', update: { sessionUpdate: 'new' } },
  }),
  'an update without a session': line({ method: 'session/update', params: {} }),
  'an update whose text is a number': line(chunk(7)),
  'an update whose handler throws': line(chunk('throw')),
  'an update whose handler rejects': line(chunk('reject')),
  'a batch of updates': `[${line(chunk('1')).trim()},${line(chunk('2')).trim()}]\n`,
  'a request that the client does not know': line({ id: 7, method: 'unknown/method' }),
  'a request for a file, without its path': line({ id: 7, method: 'fs/read_text_file', params: { sessionId: 's' } }),
  'an update above the limit': line(chunk('x'.repeat(1_000_000))),
  'an answer above the limit': answer({ sessionId: 'x'.repeat(1_000_000) }),
};
