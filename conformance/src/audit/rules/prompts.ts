import { type Rule, rule } from '../rule.ts';

/** A client does not invent message ids. */
export const noOwnMessageIds: Rule = rule('client', ['R142'], (frame, { check }) => {
  if (frame.kind !== 'request' || frame.method !== 'session/prompt') return;
  check('R142', 'messageId' in frame.params && 'A prompt has a messageId', frame);
});

/** Base64 with any alphabet and padding. */
const base64 = /^[\w+/-]*={0,2}$/;

/** Replaces redacted content in traces. */
const redacted = '[redacted]';

/** Images and audio are base64. */
export const soundBytes: Rule = rule('both', ['R234'], (frame, { broken }) => {
  for (const type of ['ImageContent', 'AudioContent'] as const)
    for (const { data } of frame.partsOf(type))
      if (typeof data === 'string' && data !== redacted && !base64.test(data.replaceAll(/\s/g, '')))
        broken('R234', `The data of ${type} is not base64`, frame);
});

/** In version 2 a client sends no empty prompt. */
export const noEmptyPrompt: Rule = rule('client', ['V056'], ({ kind, method, params }, { check }) => {
  if (kind !== 'request' || method !== 'session/prompt' || !Array.isArray(params['prompt'])) return;
  check('V056', params['prompt'].length === 0 && 'An empty prompt was sent');
});
