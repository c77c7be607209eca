import { type Rule, rule } from '../rule.ts';

/** A client makes up no ids for messages. */
export const noOwnMessageIds: Rule = rule('client', ['R142'], (frame, { check }) => {
  if (frame.kind !== 'request' || frame.method !== 'session/prompt') return;
  check('R142', 'messageId' in frame.params && 'A prompt has a messageId', frame);
});

/** What base64 looks like, with whatever alphabet and padding. */
const base64 = /^[\w+/-]*={0,2}$/;

/** Stands in a trace for redacted content. */
const redacted = '[redacted]';

/** Images and audio are base64. */
export const soundBytes: Rule = rule('both', ['R234'], (frame, { broken }) => {
  for (const type of ['ImageContent', 'AudioContent'] as const)
    for (const { data } of frame.partsOf(type))
      if (typeof data === 'string' && data !== redacted && !base64.test(data.replaceAll(/\s/g, '')))
        broken('R234', `The data of ${type} is not base64`, frame);
});
