import { randomUUID } from 'node:crypto';
import { httpStub, type HttpStub, mcpAnswerTo } from '../../../mcp/http-stub.ts';
import { areMet, type StdioStub, stdioStub } from '../../../mcp/stdio-stub.ts';
import { at, type JournalEntry, quoted } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { Wire } from '../../../wire/wire.ts';
import { type AgentScripts, type AgentStage, withAgent } from '../../agent-stage.ts';
import { asSoonAsPossible } from '../../pieces/busy-turn.ts';
import { isGoneWithin } from '../../pieces/running-process.ts';
import type { Session } from '../../session.ts';

/** Milliseconds in which an agent that connects by itself has done so. After a prompt it may take as long as any answer. */
const alone = 1_500;

/** MCP servers, which the kit plays. */
export const mcpScenarios: AgentScripts = {
  'mcp/stdio': async (stage) => {
    const stubs = ['one', 'two', 'three'].map((name) => stubOf(stage, name));
    const session = await (await stage.ready()).trySession({ mcpServers: stubs.map(({ entry }) => entry) });
    const areAllMet = await meet(stage, session, stubs);
    const counts = await Promise.all(stubs.map((stub) => stub.meetings()));
    const connected = counts.filter((count) => count > 0).length;
    const requests = requestsFor(session.wire);
    const none = connected === 0 && 'no server on stdio was connected, not even for a prompt';
    if (!stage.see.check('R106', none, requests)) throw new Stopped('no server was connected');
    stage.see.check('R110', !areAllMet && `of three servers ${connected} were connected`, requests);
    for (const stub of stubs) await seeStart(stage, stub, requests);
    seeNoSecret(stage, session.wire, secretOf(stubs[0]));
  },
  'mcp/broken': async (stage) => {
    const stub = stubOf(stage, 'broken', true);
    const session = await (await stage.ready()).trySession({ mcpServers: [stub.entry] });
    await session.says('quince');
    if ((await stub.started()) === undefined) throw new Stopped('the agent did not start the server');
    seeNoSecret(stage, session.wire, secretOf(stub));
  },
  'mcp/brought-back': withAgent([], async (agent, stage) => {
    const ways = agent.waysBack();
    const stub = stubOf(stage, 'kept');
    const session = await agent.trySession({ mcpServers: [stub.entry] });
    await session.says('quince');
    if (!(await areMet([stub], stage.settings.patience.answer)))
      throw new Stopped('the agent did not connect the server when the session began');
    let next = await agent.restart();
    for (const way of ways) {
      const requirement = way === 'session/load' ? 'R087' : 'R092';
      // Another server: the agent connects what it is given now.
      const given = stubOf(stage, `of-${way.slice('session/'.length)}`);
      const back = await next.bringBack(way, session.id, { mcpServers: [given.entry] });
      const fault = `a server named with ${way} was not connected, not even for a prompt`;
      if (back.reply.error !== undefined) stage.see.unseen(requirement, `${way} was refused`);
      else stage.see.check(requirement, !(await meet(stage, back.session, [given])) && fault, back.reply);
      if (way !== ways.at(-1)) next = await back.session.letGo();
    }
  }),
  'mcp/closed': withAgent(['sessionCapabilities.close'], async (agent, stage) => {
    const stub = stubOf(stage, 'closed');
    const session = await agent.trySession({ mcpServers: [stub.entry] });
    await meet(stage, session, [stub]);
    const start = await stub.started();
    if (start === undefined) throw new Stopped('the agent did not start the server');
    const closed = await session.ask('session/close');
    if (closed.error !== undefined) throw new Stopped('session/close was refused');
    const fault = `an MCP server of the session ran on ${asSoonAsPossible / 1000} seconds after session/close`;
    stage.see.check('R094', !(await isGoneWithin(start.pid, asSoonAsPossible)) && fault, closed);
  }),
  'mcp/http': async (stage) => {
    const secret = randomUUID();
    await using stub = await httpStub(secret);
    const agent = await stage.ready();
    const ways = (['http', 'sse'] as const).filter((way) => agent.offers(`mcpCapabilities.${way}`));
    if (ways.length === 0) throw new Stopped('neither mcpCapabilities.http nor mcpCapabilities.sse is advertised');
    if (!ways.includes('http')) stage.see.unseen('R107', 'mcpCapabilities.http is not advertised');
    const session = await agent.trySession({ mcpServers: ways.map((way) => stub.entries[way]) });
    await meet(
      stage,
      session,
      ways.map((way) => visitsOf(stub, way)),
    );
    const requests = requestsFor(session.wire);
    for (const way of ways) {
      const [visit] = stub.visits(way);
      const fault = `mcpCapabilities.${way} is advertised, and a server on ${way} was not connected`;
      stage.see.check(way === 'http' ? 'R107' : 'R110', visit === undefined && fault, requests);
      if (visit === undefined) continue;
      stage.see.check('R113', visit.secret !== secret && `a server on ${way} got no header`, requests);
      seeNoSecret(stage, session.wire, secret);
    }
  },
  'unstable/mcp': withAgent(['mcpCapabilities.acp'], async (agent, stage) => {
    const serverId = randomUUID();
    let meetings = 0;
    agent.wire.handle('mcp/message', (params) => {
      meetings += Number(params['method'] === 'initialize' && params['serverId'] === serverId);
      return { ...mcpAnswerTo(params) };
    });
    const session = await agent.trySession({ mcpServers: [{ type: 'acp', name: 'of-the-client', serverId }] });
    const isMet = await meet(stage, session, [{ meetings: () => Promise.resolve(meetings) }]);
    const fault = 'mcpCapabilities.acp is advertised, and a server of the client was not connected';
    stage.see.check('R395', !isMet && fault, requestsFor(session.wire));
  }),
  'mcp/unadvertised': async (stage) => {
    await using stub = await httpStub(randomUUID());
    const agent = await stage.ready();
    if (agent.offers('mcpCapabilities.http')) throw new Stopped('mcpCapabilities.http is advertised');
    await agent.session();
    // An agent may have one session at a time.
    const { wire } = await stage.ready();
    const reply = await wire.ask('session/new', { cwd: stage.folder, mcpServers: [stub.entries.http] });
    if (reply.error !== undefined) return stage.see.held('R109');
    if (!(await areMet([visitsOf(stub, 'http')], alone)))
      throw new Stopped('the session began without the server, and it is not visible whether the user was informed');
    stage.see.broken('R109', 'a server on HTTP was taken, and connected, though it is not advertised', reply);
  },
};

type Met = Pick<StdioStub, 'meetings'>;

async function seeStart({ see }: AgentStage, stub: StdioStub, requests: readonly JournalEntry[]): Promise<void> {
  const start = await stub.started();
  if (start === undefined) return;
  const wanted = quoted((stub.entry['args'] as readonly string[]).slice(1));
  const words = quoted(start.words);
  const fault = words !== wanted && `a server was started with the arguments ${words} instead of ${wanted}`;
  see.check('R112', fault, requests);
  const isBare = start.secret !== secretOf(stub);
  see.check('R112', isBare && 'a server was started without the variable it was to get', requests);
}

function visitsOf(stub: HttpStub, way: 'http' | 'sse'): Met {
  return { meetings: () => Promise.resolve(stub.visits(way).length) };
}

/** Waits for the agent to connect; it may do so only when it is prompted. Whether all were met. */
async function meet({ settings }: AgentStage, session: Session, stubs: readonly Met[]): Promise<boolean> {
  if (await areMet(stubs, alone)) return true;
  await session.says('quince');
  return areMet(stubs, settings.patience.answer);
}

/** Where the servers were named. */
function requestsFor({ journal }: Wire): readonly JournalEntry[] {
  return journal.filter(({ message }) => at(message, 'method') === 'session/new');
}

/** What was given for a server alone is in nothing that the agent says or prints. */
function seeNoSecret({ see }: AgentStage, wire: Wire, secret: string): void {
  const revealed = wire.journal.filter(({ from, text }) => from === 'agent' && text.includes(secret));
  const isPrinted = wire.line.process?.stderr().includes(secret) === true;
  const fault = `what an MCP server was to get alone is ${isPrinted ? 'on stderr' : 'in a message'}`;
  see.check('R114', (revealed.length > 0 || isPrinted) && fault, revealed);
}

function stubOf(stage: AgentStage, name: string, fails = false): StdioStub {
  return stdioStub(name, stage.path('..'), { secret: `secret-${randomUUID()}`, fails });
}

function secretOf(stub: StdioStub | undefined): string {
  return String(at(stub?.entry, 'env', 0, 'value'));
}
