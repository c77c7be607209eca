import { asMessage } from '../../wire/messages.ts';
import type { Rule } from '../rule.ts';

export const noOwnMessageIds: Rule = {
  name: 'A client makes up no ids for messages',
  judges: 'client',
  requirements: ['R142'],
  listen: ({ held, broken }) => ({
    sent: (frame) => {
      if (frame.kind !== 'request' || frame.method !== 'session/prompt') return;
      if ('messageId' in frame.params) broken('R142', 'A prompt has a messageId', frame);
      else held('R142');
    },
  }),
};

/** What base64 looks like, with whatever alphabet and padding. */
const base64 = /^[\w+/-]*={0,2}$/;

/** Stands in a trace for redacted content. */
const redacted = '[redacted]';

export const soundBytes: Rule = {
  name: 'Images and audio are base64',
  judges: 'both',
  requirements: ['R234'],
  listen: ({ broken }) => ({
    sent: (frame) => {
      for (const { type, value } of frame.dissection.parts) {
        const data = asMessage(value)?.['data'];
        if ((type !== 'ImageContent' && type !== 'AudioContent') || typeof data !== 'string') continue;
        if (data !== redacted && !base64.test(data.replaceAll(/\s/g, '')))
          broken('R234', `The data of ${type} is not base64`, frame);
      }
    },
  }),
};
