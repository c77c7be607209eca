import type { Mutant } from '../../mutant-line.ts';
import { answering, errorLine, paramsOf, resultLine } from './said.ts';

export const authenticationMutants: readonly Mutant[] = [
  {
    name: 'offers a terminal login to every client',
    judges: 'agent',
    scenario: 'authentication/terminal',
    breaks: 'R061',
    defect: () => ({
      hears: (message) =>
        message['method'] === 'initialize'
          ? [{ ...message, params: { ...paramsOf(message), clientCapabilities: { auth: { terminal: true } } } }]
          : [message],
    }),
  },
  {
    name: 'offers a terminal login to clients that mention it',
    judges: 'agent',
    scenario: 'authentication/terminal',
    breaks: 'R061',
    defect: () => ({
      hears: (message, text) =>
        text.includes('"auth":{"terminal":false}')
          ? [{ ...message, params: { ...paramsOf(message), clientCapabilities: { auth: { terminal: true } } } }]
          : [message],
    }),
  },
  {
    name: 'accepts every login method',
    judges: 'agent',
    scenario: 'authentication/unknown-method',
    breaks: 'R057',
    defect: answering((message) => (message['method'] === 'authenticate' ? resultLine(message, {}) : undefined)),
  },
  {
    name: 'answers a login with its token',
    judges: 'agent',
    scenario: 'authentication/login',
    breaks: 'R058',
    needs: 'login',
    defect: answering((message) =>
      message['method'] === 'authenticate' ? resultLine(message, { token: 'x' }) : undefined,
    ),
  },
  {
    name: 'forgets a login',
    judges: 'agent',
    scenario: 'authentication/login',
    breaks: 'R059',
    needs: 'login',
    defect: answering((message) => (message['method'] === 'session/new' ? errorLine(message, -32_000) : undefined)),
  },
  {
    name: 'forgets a login when the connection ends',
    judges: 'agent',
    scenario: 'authentication/reconnect',
    breaks: 'R059',
    needs: 'login',
    defect: (tampering) => {
      let isLoggedIn = false;
      const refusing = answering((message) =>
        message['method'] === 'session/new' && !isLoggedIn ? errorLine(message, -32_000) : undefined,
      )(tampering);
      return {
        ...refusing,
        hears: (message, text) => {
          isLoggedIn ||= message['method'] === 'authenticate';
          return refusing.hears?.(message, text) ?? [message];
        },
      };
    },
  },
  {
    name: 'ignores a logout',
    judges: 'agent',
    scenario: 'authentication/logout',
    breaks: 'R071',
    needs: 'login',
    defect: answering((message) => (message['method'] === 'logout' ? resultLine(message, {}) : undefined)),
  },
];
