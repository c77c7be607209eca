import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Defect, Mutant } from '../../mutant-line.ts';
import { asMessage, type RawMessage } from '../../../../src/wire/messages.ts';
import {
  inventing,
  misanswering,
  misreading,
  permittingItself,
  promptIn,
  refusingItselfToRead,
  withPrompt,
} from './defects.ts';
import { asks } from '../turns/tampered.ts';

const judges = 'agent';

/** A folder next to that of the session. */
function beside({ cwd }: RawMessage, name: string): string {
  return join(String(cwd), '..', name);
}

/** Runs commands in a folder next to that of the session. */
function runningIn(name: string): Defect {
  return misreading(['session/prompt'], (params) =>
    withPrompt(params, promptIn(params).replace(/^run (.* (\/.*)\/project\/.*)$/, `run cd $2/${name} && $1`)),
  );
}

/** Agents with faults in new sessions. */
export const setUpMutants: readonly Mutant[] = [
  {
    name: 'uses one id for all sessions',
    judges,
    scenario: 'new-session/apart',
    breaks: 'R075',
    defect: misanswering(['session/new'], (result) => ({ ...result, sessionId: 'the session' })),
  },
  {
    name: 'sends the updates of one session to all',
    judges,
    scenario: 'new-session/apart',
    breaks: 'R078',
    defect: () => {
      const sessions = new Set<unknown>();
      return {
        says: (message) => {
          const params = asMessage(message['params']);
          const sessionId = asMessage(message['result'])?.['sessionId'] ?? params?.['sessionId'];
          if (sessionId !== undefined) sessions.add(sessionId);
          if (asMessage(params?.['update'])?.['sessionUpdate'] !== 'agent_message_chunk') return [message];
          return [...sessions].map((id) => ({ ...message, params: { ...params, sessionId: id } }));
        },
      };
    },
  },
  {
    name: 'shares one memory between all sessions',
    judges,
    scenario: 'new-session/apart',
    breaks: 'R078',
    defect: (tampering) => {
      let said = '';
      return misreading(['session/prompt'], (params) => {
        const prompt = promptIn(params);
        if (prompt !== 'again') said = prompt;
        return prompt === 'again' ? withPrompt(params, said) : params;
      })(tampering);
    },
  },
  {
    name: 'creates sessions without a working directory',
    judges,
    scenario: 'new-session/incomplete',
    breaks: 'R077',
    defect: misreading(['session/new'], (params) => ({
      ...params,
      cwd: typeof params['cwd'] === 'string' ? params['cwd'] : '/',
    })),
  },
  {
    name: 'works in the folder of its process',
    judges,
    scenario: 'new-session/cwd',
    breaks: 'R080',
    defect: misreading(['session/new'], (params) => ({ ...params, cwd: beside(params, 'started-here') })),
  },
  {
    name: 'runs commands in the folder of its process',
    judges,
    scenario: 'command-folder/own',
    breaks: 'R080',
    defect: runningIn('started-here'),
  },
  {
    name: 'lets the client run commands in the folder of its process',
    judges,
    scenario: 'command-folder/terminal',
    breaks: 'R080',
    defect: asks('terminal/create', (params) => ({ ...params, cwd: beside(params, 'started-here') })),
  },
  {
    name: 'runs commands in the additional folder',
    judges,
    scenario: 'command-folder/own-with-further-folder',
    breaks: 'R081',
    defect: runningIn('second-root'),
  },
  {
    name: 'lets the client run commands in the additional folder',
    judges,
    scenario: 'command-folder/terminal-with-further-folder',
    breaks: 'R081',
    defect: asks('terminal/create', (params) => ({ ...params, cwd: beside(params, 'second-root') })),
  },
  {
    name: 'ignores invalid additional folders',
    judges,
    scenario: 'roots/invalid',
    breaks: 'R097',
    defect: misreading(['session/new'], ({ additionalDirectories: _, ...params }) => params),
  },
  {
    name: 'resolves relative paths in the additional folder',
    judges,
    scenario: 'roots/base',
    breaks: 'R081',
    defect: misreading(['session/new'], (params) => ({
      ...params,
      cwd: beside(params, 'second-root'),
      additionalDirectories: [params['cwd']],
    })),
  },
  {
    name: 'drops additional folders silently',
    judges,
    scenario: 'roots/base',
    breaks: 'R100',
    defect: (tampering) => ({
      ...misreading(['session/new'], ({ additionalDirectories: _, ...params }) => params)(tampering),
      says: refusingItselfToRead(tampering),
    }),
  },
  {
    name: 'writes everywhere without asking',
    judges,
    scenario: 'roots/boundary',
    breaks: 'R082',
    defect: (tampering) => ({
      ...misreading(['session/new'], (params) => ({ ...params, additionalDirectories: [beside(params, 'outside')] }))(
        tampering,
      ),
      says: permittingItself(tampering),
    }),
  },
  {
    name: 'follows symbolic links to anywhere',
    judges,
    scenario: 'roots/boundary',
    breaks: 'R101',
    defect: (tampering) => ({
      says: refusingItselfToRead(tampering),
      hears: (message) => {
        const params = asMessage(message['params']) ?? {};
        const path = message['method'] === 'session/prompt' ? /\S*link\.txt/.exec(promptIn(params))?.[0] : undefined;
        if (path === undefined) return [message];
        const content = { type: 'text', text: readFileSync(path, 'utf8') };
        const update = { sessionUpdate: 'agent_message_chunk', content };
        const { sessionId } = params;
        tampering.toKit(JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } }));
        return [message];
      },
    }),
  },
  {
    name: 'keeps the additional folders of a restored session',
    judges,
    scenario: 'roots/forgotten',
    breaks: 'R098',
    defect: misreading(['session/load', 'session/resume'], (params) => ({
      ...params,
      additionalDirectories: [beside(params, 'second-root')],
    })),
  },
  {
    name: 'continues the turn of a session that was closed',
    judges,
    scenario: 'close/turn',
    breaks: 'R094',
    defect: misanswering(['session/prompt'], (result) => ({ ...result, stopReason: 'end_turn' })),
  },
  {
    name: 'closes a session but lets its commands run',
    judges,
    scenario: 'close/turn',
    breaks: 'R094',
    defect: inventing('session/close', () => ({ result: {} })),
  },
];
