import { writeFileSync } from 'node:fs';
import { asMessage } from '../../../../src/wire/messages.ts';
import type { Mutant } from '../../mutant-line.ts';
import { asks, keepsTerminals, takesForOffered } from './tampered.ts';

const fs = { readTextFile: true, writeTextFile: true };

export const filesAndTerminalsMutants: readonly Mutant[] = [
  {
    name: 'reads another file of the client than requested',
    judges: 'agent',
    scenario: 'files/through-client',
    breaks: 'R215',
    defect: asks('fs/read_text_file', (params) => ({ ...params, path: '/turnwire/elsewhere.txt' })),
  },
  {
    name: 'reads files of a client that does not offer them',
    judges: 'agent',
    scenario: 'files/not-offered',
    breaks: 'R206',
    defect: takesForOffered({ fs }),
  },
  {
    name: 'uses terminals of a client that does not offer them',
    judges: 'agent',
    scenario: 'files/not-offered',
    breaks: 'R216',
    defect: takesForOffered({ terminal: true }),
  },
  {
    name: 'treats every mentioned capability as offered',
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
    name: 'writes through a client that only offers to read',
    judges: 'agent',
    scenario: 'files/read-only',
    breaks: 'R206',
    defect: takesForOffered({ fs }),
  },
  {
    name: 'writes to any folder without asking',
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
    name: 'never releases its terminals',
    judges: 'agent',
    scenario: 'terminals/life',
    breaks: 'R226',
    defect: keepsTerminals,
  },
  {
    name: 'does not release the terminals of failed commands',
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
    name: 'runs commands in a relative folder',
    judges: 'agent',
    scenario: 'terminals/life',
    breaks: 'R219',
    defect: asks('terminal/create', (params) => ({ ...params, cwd: 'project' })),
  },
  {
    name: 'embeds a terminal after its release',
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
