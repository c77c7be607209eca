import { randomUUID } from 'node:crypto';
import { httpStub, type HttpStub, mcpAnswerTo } from '../../../mcp/http-stub.ts';
import { areConnected, type StdioStub, stdioStub } from '../../../mcp/stdio-stub.ts';
import { at, type JournalEntry, quoted } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { Wire } from '../../../wire/wire.ts';
import { type AgentScripts, type AgentContext, withAgent } from '../../agent-context.ts';
import { asSoonAsPossible } from '../../fixtures/busy-turn.ts';
import { isGoneWithin } from '../../fixtures/running-process.ts';
import type { Session } from '../../session.ts';

/** Milliseconds in which an agent that connects without a prompt has done so. After a prompt the answer timeout applies. */
const alone = 1_500;

/** The kit plays the MCP servers of these scenarios. */
export const mcpScenarios: AgentScripts = {
  'mcp/stdio': async (context) => {
    const stubs = ['one', 'two', 'three'].map((name) => stubOf(context, name));
    const session = await (await context.ready()).trySession({ mcpServers: stubs.map(({ entry }) => entry) });
    const areAllMet = await meet(context, session, stubs);
    const counts = await Promise.all(stubs.map((stub) => stub.connections()));
    const connected = counts.filter((count) => count > 0).length;
    const requests = requestsFor(session.wire);
    const none = connected === 0 && 'the agent connected to none of its stdio MCP servers, not even after a prompt';
    if (!context.see.check('R106', none, requests)) throw new Stopped('the agent connected to no MCP server');
    context.see.check('R110', !areAllMet && `the agent connected to ${connected} of three MCP servers`, requests);
    for (const stub of stubs) await seeStart(context, stub, requests);
    seeNoSecret(context, session.wire, secretOf(stubs[0]));
  },
  'mcp/broken': async (context) => {
    const stub = stubOf(context, 'broken', true);
    const session = await (await context.ready()).trySession({ mcpServers: [stub.entry] });
    await session.says('quince');
    if ((await stub.started()) === undefined) throw new Stopped('the agent did not start the MCP server');
    seeNoSecret(context, session.wire, secretOf(stub));
  },
  'mcp/brought-back': withAgent([], async (agent, context) => {
    const ways = agent.restoreMethods();
    const stub = stubOf(context, 'kept');
    const session = await agent.trySession({ mcpServers: [stub.entry] });
    await session.says('quince');
    if (!(await areConnected([stub], context.settings.timeouts.answer)))
      throw new Stopped('the agent did not connect to the MCP server when the session was created');
    let next = await agent.restart();
    for (const way of ways) {
      const requirement = way === 'session/load' ? 'R087' : 'R092';
      // A different server: the agent must connect to the one in this request.
      const added = stubOf(context, `of-${way.slice('session/'.length)}`);
      const back = await next.restore(way, session.id, { mcpServers: [added.entry] });
      const fault = `the agent did not connect to an MCP server of ${way}, not even after a prompt`;
      if (back.reply.error !== undefined) context.see.unseen(requirement, `${way} was refused`);
      else context.see.check(requirement, !(await meet(context, back.session, [added])) && fault, back.reply);
      if (way !== ways.at(-1)) next = await back.session.release();
    }
  }),
  'mcp/closed': withAgent(['sessionCapabilities.close'], async (agent, context) => {
    const stub = stubOf(context, 'closed');
    const session = await agent.trySession({ mcpServers: [stub.entry] });
    await meet(context, session, [stub]);
    const start = await stub.started();
    if (start === undefined) throw new Stopped('the agent did not start the MCP server');
    const closed = await session.ask('session/close');
    if (closed.error !== undefined) throw new Stopped('session/close was refused');
    const fault = `an MCP server of the session was still running ${asSoonAsPossible / 1000} seconds after session/close`;
    context.see.check('R094', !(await isGoneWithin(start.pid, asSoonAsPossible)) && fault, closed);
  }),
  'mcp/http': async (context) => {
    const secret = randomUUID();
    await using stub = await httpStub(secret);
    const agent = await context.ready();
    const ways = (['http', 'sse'] as const).filter((way) => agent.offers(`mcpCapabilities.${way}`));
    if (ways.length === 0) throw new Stopped('neither mcpCapabilities.http nor mcpCapabilities.sse is advertised');
    if (!ways.includes('http')) context.see.unseen('R107', 'mcpCapabilities.http is not advertised');
    const session = await agent.trySession({ mcpServers: ways.map((way) => stub.entries[way]) });
    await meet(
      context,
      session,
      ways.map((way) => visitsOf(stub, way)),
    );
    const requests = requestsFor(session.wire);
    for (const way of ways) {
      const [visit] = stub.visits(way);
      const fault = `mcpCapabilities.${way} is advertised, but the agent did not connect to an MCP server over ${way}`;
      context.see.check(way === 'http' ? 'R107' : 'R110', visit === undefined && fault, requests);
      if (visit === undefined) continue;
      context.see.check(
        'R113',
        visit.secret !== secret && `an MCP server over ${way} did not receive its header`,
        requests,
      );
      seeNoSecret(context, session.wire, secret);
    }
  },
  'unstable/mcp': withAgent(['mcpCapabilities.acp'], async (agent, context) => {
    const serverId = randomUUID();
    let connections = 0;
    agent.wire.handle('mcp/message', (params) => {
      connections += Number(params['method'] === 'initialize' && params['serverId'] === serverId);
      return { ...mcpAnswerTo(params) };
    });
    const session = await agent.trySession({ mcpServers: [{ type: 'acp', name: 'of-the-client', serverId }] });
    const isMet = await meet(context, session, [{ connections: () => Promise.resolve(connections) }]);
    const fault = 'mcpCapabilities.acp is advertised, but the agent did not connect to an MCP server of the client';
    context.see.check('R395', !isMet && fault, requestsFor(session.wire));
  }),
  'mcp/unadvertised': async (context) => {
    await using stub = await httpStub(randomUUID());
    const agent = await context.ready();
    if (agent.offers('mcpCapabilities.http')) throw new Stopped('mcpCapabilities.http is advertised');
    await agent.session();
    // A second connection, because an agent may support one session at a time.
    const { wire } = await context.ready();
    const reply = await wire.ask('session/new', { cwd: context.folder, mcpServers: [stub.entries.http] });
    if (reply.error !== undefined) return context.see.held('R109');
    if (!(await areConnected([visitsOf(stub, 'http')], alone)))
      throw new Stopped(
        'the session was created without the MCP server, and it cannot be observed whether the user was informed',
      );
    context.see.broken(
      'R109',
      'the agent connected to an MCP server over HTTP although it does not advertise mcpCapabilities.http',
      reply,
    );
  },
};

type Met = Pick<StdioStub, 'connections'>;

async function seeStart({ see }: AgentContext, stub: StdioStub, requests: readonly JournalEntry[]): Promise<void> {
  const start = await stub.started();
  if (start === undefined) return;
  const wanted = quoted(stub.args);
  const args = quoted(start.args);
  const fault = args !== wanted && `an MCP server was started with the arguments ${args} instead of ${wanted}`;
  see.check('R112', fault, requests);
  const isBare = start.secret !== secretOf(stub);
  see.check('R112', isBare && 'an MCP server was started without its environment variable', requests);
  if (process.env['PATH'] === undefined) return;
  const isReplaced = !isBare && !start.hasPath && 'an MCP server was started with its own variables only, without PATH';
  see.check('R412', isReplaced, requests);
}

function visitsOf(stub: HttpStub, way: 'http' | 'sse'): Met {
  return { connections: () => Promise.resolve(stub.visits(way).length) };
}

/** Waits until the agent has connected to every server, which it may do only after a prompt. Returns whether it did. */
async function meet({ settings }: AgentContext, session: Session, stubs: readonly Met[]): Promise<boolean> {
  if (await areConnected(stubs, alone)) return true;
  await session.says('quince');
  return areConnected(stubs, settings.timeouts.answer);
}

/** The requests that named the servers. */
function requestsFor({ journal }: Wire): readonly JournalEntry[] {
  return journal.filter(({ message }) => at(message, 'method') === 'session/new');
}

/** Judges that the secret of an MCP server appears in no message of the agent and not on its stderr. */
function seeNoSecret({ see }: AgentContext, wire: Wire, secret: string): void {
  const revealed = wire.journal.filter(({ from, text }) => from === 'agent' && text.includes(secret));
  const isPrinted = wire.line.process?.stderr().includes(secret) === true;
  const fault = `the secret of an MCP server appeared ${isPrinted ? 'on stderr' : 'in a message'}`;
  see.check('R114', (revealed.length > 0 || isPrinted) && fault, revealed);
}

function stubOf(context: AgentContext, name: string, fails = false): StdioStub {
  const stub = stdioStub(name, context.path('..'), { secret: `secret-${randomUUID()}`, fails });
  return context.version === 1 ? stub : { ...stub, entry: { type: 'stdio', ...stub.entry } };
}

function secretOf(stub: StdioStub | undefined): string {
  return String(at(stub?.entry, 'env', 0, 'value'));
}
