import type { Mutant } from '../../mutant-line.ts';
import { asMessage } from '../../../../src/wire/messages.ts';
import { errorLine } from './said.ts';

const text = new TextDecoder();
const bytes = new TextEncoder();

export const framingMutants: readonly Mutant[] = [
  {
    name: 'decodes what it reads piece by piece',
    judges: 'agent',
    scenario: 'framing/utf-8',
    breaks: 'R001',
    needs: 'process',
    defect: () => ({ reads: (piece) => bytes.encode(text.decode(piece)) }),
  },
  {
    name: 'takes each piece for a line',
    judges: 'agent',
    scenario: 'framing/pieces',
    breaks: 'R019',
    needs: 'process',
    defect: () => ({ reads: (piece) => bytes.encode(`${text.decode(piece)}\n`) }),
  },
  {
    name: 'ends lines at every line break there is',
    judges: 'agent',
    scenario: 'framing/line-breaks',
    breaks: 'R005',
    defect: () => ({ hears: (_, line) => line.split(/[\u2028\u2029]/) }),
  },
  {
    name: 'takes no line that ends with a carriage return',
    judges: 'agent',
    scenario: 'framing/whitespace',
    breaks: 'R005',
    defect: ({ toKit }) => ({
      hears: (message, line) => {
        if (!line.endsWith('\r')) return [line];
        toKit(errorLine({ ...message, id: null }, -32_700));
        return [];
      },
    }),
  },
  {
    name: 'dies of a line of more than 64 KiB',
    judges: 'agent',
    scenario: 'framing/long-line',
    breaks: 'R368',
    defect: ({ end }) => ({
      hears: (_, line) => {
        if (line.length <= 65_536) return [line];
        end();
        return [];
      },
    }),
  },
  {
    name: 'answers on stderr',
    judges: 'agent',
    scenario: 'framing/pipes',
    breaks: 'R004',
    needs: 'process',
    defect: () => ({ prints: '{"jsonrpc":"2.0","id":"lost","result":{}}\n' }),
  },
  {
    name: 'greets on stdout',
    judges: 'agent',
    scenario: 'stdout/first-words',
    breaks: 'R009',
    defect: ({ toKit }) => ({
      hears: (message) => {
        if (message['method'] === 'initialize') toKit('Welcome!');
        return [message];
      },
    }),
  },
  {
    name: 'reads a file before it knows whether it may',
    judges: 'agent',
    scenario: 'stdout/first-words',
    breaks: 'R042',
    defect: ({ toKit }) => ({
      hears: (message) => {
        const call = { jsonrpc: '2.0', id: 'early', method: 'fs/read_text_file', params: { sessionId: '', path: '/' } };
        if (message['method'] === 'initialize') toKit(JSON.stringify(call));
        return message['id'] === 'early' ? [] : [message];
      },
    }),
  },
  {
    name: 'lets its commands print on its stdout',
    judges: 'agent',
    scenario: 'stdout/commands',
    breaks: 'R009',
    defect: () => ({
      says: (message, line) => (line.includes('turnwire-noise') ? ['turnwire-noise', message] : [message]),
    }),
  },
  {
    name: 'writes what it did not get as bytes in another encoding',
    judges: 'agent',
    scenario: 'framing/escaped',
    breaks: 'R001',
    defect: () => ({
      hears: (message, text) => {
        const { id } = message;
        const isEscaped = typeof id === 'string' && text.includes('\\u');
        return [isEscaped ? { ...message, id: Buffer.from(id).toString('latin1') } : message];
      },
    }),
  },
  {
    name: 'answers twice',
    judges: 'agent',
    scenario: 'ids/kinds',
    breaks: 'R019',
    defect: () => ({ says: (message) => (message['id'] === -1 ? [message, message] : [message]) }),
  },
  {
    name: 'answers a text that looks like a number with a number',
    judges: 'agent',
    scenario: 'ids/kinds',
    breaks: 'R019',
    defect: () => ({ says: (message) => [message['id'] === '1001' ? { ...message, id: 1001 } : message] }),
  },
  {
    name: 'takes a request with the id null for a notification',
    judges: 'agent',
    scenario: 'ids/null',
    breaks: 'R019',
    defect: () => ({ hears: (message) => (message['id'] === null ? [] : [message]) }),
  },
  {
    name: 'answers a cancel of what it does not know',
    judges: 'agent',
    scenario: 'notifications/no-answer',
    breaks: 'R018',
    defect: ({ toKit }) => ({
      hears: (message) => {
        if (message['method'] === 'session/cancel') toKit(errorLine(message, -32_602));
        return [message];
      },
    }),
  },
  {
    name: 'answers a notification of an extension',
    judges: 'agent',
    scenario: 'notifications/unknown-extension',
    breaks: 'R285',
    defect: ({ toKit }) => ({
      hears: (message) => {
        if (!('id' in message) && asMessage(message['params']) !== undefined) toKit(errorLine(message, -32_601));
        return [message];
      },
    }),
  },
];
