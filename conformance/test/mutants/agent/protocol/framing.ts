import type { Mutant } from '../../mutant-line.ts';
import { asMessage } from '../../../../src/wire/messages.ts';
import { errorLine } from './said.ts';

const text = new TextDecoder();
const bytes = new TextEncoder();

export const framingMutants: readonly Mutant[] = [
  {
    name: 'decodes UTF-8 chunk by chunk',
    judges: 'agent',
    scenario: 'framing/utf-8',
    breaks: 'R001',
    needs: 'process',
    defect: () => ({ reads: (piece) => bytes.encode(text.decode(piece)) }),
  },
  {
    name: 'treats each chunk as a line',
    judges: 'agent',
    scenario: 'framing/pieces',
    breaks: 'R019',
    needs: 'process',
    defect: () => ({ reads: (piece) => bytes.encode(`${text.decode(piece)}\n`) }),
  },
  {
    name: 'splits lines at every Unicode line break',
    judges: 'agent',
    scenario: 'framing/line-breaks',
    breaks: 'R005',
    defect: () => ({ hears: (_, line) => line.split(/[\u2028\u2029]/) }),
  },
  {
    name: 'rejects lines that end with a carriage return',
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
    name: 'crashes on a line of more than 64 KiB',
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
    name: 'writes its answers to stderr',
    judges: 'agent',
    scenario: 'framing/pipes',
    breaks: 'R004',
    needs: 'process',
    defect: () => ({ prints: '{"jsonrpc":"2.0","id":"lost","result":{}}\n' }),
  },
  {
    name: 'prints a greeting on stdout',
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
    name: 'reads a file before it knows the client capabilities',
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
    name: 'writes escaped characters in another encoding',
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
    name: 'answers a numeric string id with a number',
    judges: 'agent',
    scenario: 'ids/kinds',
    breaks: 'R019',
    defect: () => ({ says: (message) => [message['id'] === '1001' ? { ...message, id: 1001 } : message] }),
  },
  {
    name: 'treats a request with the id null as a notification',
    judges: 'agent',
    scenario: 'ids/null',
    breaks: 'R019',
    defect: () => ({ hears: (message) => (message['id'] === null ? [] : [message]) }),
  },
  {
    name: 'answers session/cancel for an unknown session',
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
    name: 'answers an extension notification',
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
