import { writeFileSync } from 'node:fs';
import { asMessage } from '../../../../src/wire/messages.ts';
import type { Mutant } from '../../mutant-line.ts';
import { asks, keepsTerminals, takesForOffered } from './tampered.ts';

const fs = { readTextFile: true, writeTextFile: true };

export const filesAndTerminalsMutants: readonly Mutant[] = [
  {
    name: 'reads another file of the client than it was asked to',
    judges: 'agent',
    scenario: 'files/through-client',
    breaks: 'R215',
    defect: asks('fs/read_text_file', (params) => ({ ...params, path: '/turnwire/elsewhere.txt' })),
  },
  {
    name: 'asks for files of a client that has none',
    judges: 'agent',
    scenario: 'files/not-offered',
    breaks: 'R206',
    defect: takesForOffered({ fs }),
  },
  {
    name: 'asks for terminals of a client that has none',
    judges: 'agent',
    scenario: 'files/not-offered',
    breaks: 'R216',
    defect: takesForOffered({ terminal: true }),
  },
  {
    name: 'takes every capability that is named for one that is there',
    judges: 'agent',
    scenario: 'files/not-offered',
    breaks: 'R216',
    defect: (tampering) => ({
      hears: (message, text) => {
        const isNamed = text.includes('"terminal":false');
        return (isNamed && takesForOffered({ terminal: true })(tampering).hears?.(message, text)) || [message];
      },
    }),
  },
  {
    name: 'asks a client to write that only reads',
    judges: 'agent',
    scenario: 'files/read-only',
    breaks: 'R206',
    defect: takesForOffered({ fs }),
  },
  {
    name: 'writes wherever it is told to',
    judges: 'agent',
    scenario: 'files/outside',
    breaks: 'R082',
    defect: () => ({
      hears: (message, text) => {
        const [, path] = /create (\S+) with/.exec(text) ?? [];
        if (path !== undefined) writeFileSync(path, 'quince');
        return [message];
      },
    }),
  },
  {
    name: 'keeps its terminals',
    judges: 'agent',
    scenario: 'terminals/life',
    breaks: 'R226',
    defect: keepsTerminals,
  },
  {
    name: 'keeps the terminals of commands that fail',
    judges: 'agent',
    scenario: 'terminals/failing',
    breaks: 'R226',
    defect: (tampering) => {
      let hasFailed = false;
      return {
        hears: (message) => {
          const exitCode = asMessage(message['result'])?.['exitCode'];
          hasFailed ||= typeof exitCode === 'number' && exitCode !== 0;
          return [message];
        },
        says: (message, text) => (hasFailed ? keepsTerminals(tampering).says?.(message, text) : undefined) ?? [message],
      };
    },
  },
  {
    name: 'runs commands in a folder whose whole path it does not tell',
    judges: 'agent',
    scenario: 'terminals/life',
    breaks: 'R219',
    defect: asks('terminal/create', (params) => ({ ...params, cwd: 'project' })),
  },
  {
    name: 'shows a terminal when it is gone',
    judges: 'agent',
    scenario: 'terminals/life',
    breaks: 'R191',
    defect: () => {
      let held: readonly string[] = [];
      return {
        says: (message, text) => {
          if (message['method'] === 'session/update' && text.includes('"type":"terminal"')) {
            held = [...held, text];
            return [];
          }
          if (message['method'] !== 'terminal/release') return [text];
          const late = held;
          held = [];
          return [text, ...late];
        },
      };
    },
  },
];
