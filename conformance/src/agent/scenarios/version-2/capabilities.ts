import { objectsIn, quoted, type RawMessage } from '../../../wire/messages.ts';
import { type AgentScripts, inSession, withAgent } from '../../agent-context.ts';
import { failsWith } from './refusal.ts';

const ofSessions = ['session/new', 'session/list', 'session/resume', 'session/close', 'session/prompt'];

/** MCP servers by the capability that permits them. Nothing answers there. */
const servers: readonly (readonly [capability: string, server: RawMessage])[] = [
  ['session.mcp.stdio', { type: 'stdio', name: 'none', command: '/turnwire/no/such/program' }],
  ['session.mcp.http', { type: 'http', name: 'none', url: 'http://127.0.0.1:9/' }],
  ['session.mcp._turnwire', { type: '_turnwire/none', name: 'none' }],
];

export const capabilityScenarios: AgentScripts = {
  'capabilities/session': withAgent([], async (agent, context) => {
    // A method that exists refuses these parameters.
    for (const method of [...ofSessions, 'session/delete']) {
      const capability = method === 'session/delete' ? 'session.delete' : 'session';
      const reply = await agent.wire.ask(method, { sessionId: 5, cwd: 5 });
      const isThere = reply.error?.code !== -32_601;
      const fault = agent.offers(capability)
        ? !isThere && `${capability} is advertised, but ${method} is not implemented`
        : failsWith(reply, -32_601, `${method} without ${capability}`);
      context.see.check('V031', fault, reply);
    }
  }),
  'capabilities/servers': inSession(async ({ agent }, context) => {
    for (const [capability, server] of servers.filter(([each]) => !agent.offers(each))) {
      // A new connection, because an agent may support one session at a time.
      const reply = await (await context.ready()).askForSession({ mcpServers: [server] });
      context.see.check('V033', failsWith(reply, -32_602, `an MCP server without ${capability}`), reply);
    }
  }),
  'content/unknown': inSession(async (session, context) => {
    const text = { type: 'text', text: context.steer('say', { text: 'quince' }) };
    const reply = await session.ask('session/prompt', { prompt: [text, { type: '_turnwire/none' }] });
    context.see.check('V032', failsWith(reply, -32_602, 'a prompt with content of an unknown type'), reply);
  }),
  'authentication/methods': withAgent([], async ({ wire, initialized }, context) => {
    const methods = objectsIn(initialized.result['authMethods']);
    if (methods.length === 0) {
      for (const method of ['auth/login', 'auth/logout']) {
        const reply = await wire.ask(method, { methodId: 'turnwire-no-such-login' });
        context.see.check('V034', failsWith(reply, -32_601, `${method} of an agent without logins`), reply);
      }
      return;
    }
    const reply = await wire.ask('auth/login', { methodId: 'turnwire-no-such-login' });
    const { error } = reply;
    const missing = error?.code === -32_601 && 'the agent lists logins, but auth/login is not implemented';
    context.see.check('V034', missing || (error === undefined && 'an unknown login was accepted'), reply);
    for (const { methodId } of methods.filter(({ type }) => type === 'terminal')) {
      const terminal = await wire.ask('auth/login', { methodId });
      const fault = terminal.error === undefined && `auth/login accepted the terminal login ${quoted(methodId)}`;
      context.see.check('V034', fault, terminal);
    }
  }),
};
