import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import type { RequirementId } from '../../../requirements/requirement.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { httpStub } from '../../../mcp/http-stub.ts';
import { areMet, type StdioStub, stdioStub } from '../../../mcp/stdio-stub.ts';
import type { JournalEntry } from '../../../wire/journal.ts';
import { asMessage } from '../../../wire/messages.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { expectOffered, isOffered } from '../../pieces/offered.ts';
import { isGoneWithin } from '../../pieces/running-process.ts';
import { bringBack, letGo, restart } from '../../pieces/stored-session.ts';
import { tryNewSession } from '../../pieces/try-new-session.ts';

/** Milliseconds in which an agent that connects by itself has done so. After a prompt it may take as long as any answer. */
const alone = 1_500;
/** Milliseconds that a server has to end. */
const asSoonAsPossible = 5_000;

/** MCP servers, which the kit plays. */
export const mcpScenarios: readonly AgentScenario[] = [
  {
    id: 'mcp/stdio',
    title: 'three servers on stdio are started with their arguments and variables, connected, and their secrets kept',
    covers: ['R106', 'R110', 'R112', 'R114'],
    run: seeStdio,
  },
  {
    id: 'mcp/broken',
    title: 'secrets for a server are not revealed when it does not start',
    covers: ['R114'],
    run: async (stage) => {
      const stub = stubOf(stage, 'broken', true);
      const { wire } = await stage.ready();
      const { id } = await tryNewSession(stage, wire, { mcpServers: [stub.entry] });
      await stage.prompt(wire, id, stage.steer('say', { text: 'quince' }));
      if ((await stub.started()) === undefined) throw new Stopped('the agent did not start the server');
      seeNoSecret(stage, wire, secretOf(stub));
    },
  },
  {
    id: 'mcp/brought-back',
    title: 'servers named with session/load and session/resume are connected',
    covers: ['R087', 'R092'],
    run: seeReconnected,
  },
  {
    id: 'mcp/closed',
    title: 'the servers of a session end when it is closed',
    covers: ['R094'],
    run: seeServersEnd,
  },
  {
    id: 'mcp/http',
    title: 'servers on HTTP are connected with their headers, which are sent to no other server',
    covers: ['R107', 'R110', 'R113', 'R114'],
    run: seeHttp,
  },
  {
    id: 'mcp/unadvertised',
    title: 'a server on HTTP is refused by an agent that does not advertise it',
    covers: ['R109'],
    run: seeUnadvertised,
  },
];

async function seeStdio(stage: AgentStage): Promise<void> {
  const stubs = ['one', 'two', 'three'].map((name) => stubOf(stage, name));
  const { wire } = await stage.ready();
  const { id } = await tryNewSession(stage, wire, { mcpServers: stubs.map(({ entry }) => entry) });
  const areAllMet = await meet(stage, { wire, id, stubs });
  const counts = await Promise.all(stubs.map((stub) => stub.meetings()));
  const evidence = requestsFor(wire);
  const isAny = stage.see.check(
    'R106',
    counts.some((count) => count > 0),
    {
      otherwise: 'no server on stdio was connected, not even for a prompt',
      evidence,
    },
  );
  if (!isAny) throw new Stopped('no server was connected');
  stage.see.check('R110', areAllMet, {
    otherwise: `of three servers ${counts.filter((count) => count > 0).length} were connected`,
    evidence,
  });
  for (const stub of stubs) await seeStart(stage, stub, evidence);
  seeNoSecret(stage, wire, secretOf(stubs[0]));
}

async function seeStart({ see }: AgentStage, stub: StdioStub, evidence: readonly JournalEntry[]): Promise<void> {
  const start = await stub.started();
  if (start === undefined) return;
  const { args, env } = stub.entry as { readonly args: readonly string[]; readonly env: readonly { value: string }[] };
  const isAsToldWords = JSON.stringify(start.words) === JSON.stringify(args.slice(1));
  see.check('R112', isAsToldWords, {
    otherwise: `a server was started with the arguments ${JSON.stringify(start.words)} instead of ${JSON.stringify(args.slice(1))}`,
    evidence,
  });
  see.check('R112', start.secret === env[0]?.value, {
    otherwise: 'a server was started without the variable it was to get',
    evidence,
  });
}

async function seeReconnected(stage: AgentStage): Promise<void> {
  const { wire, initialized } = await stage.ready();
  const ways = (
    [
      ['session/load', 'loadSession', 'R087'],
      ['session/resume', 'sessionCapabilities.resume', 'R092'],
    ] as const
  ).filter(([, offer]) => isOffered(initialized, offer));
  if (ways.length === 0) throw new Stopped('neither loadSession nor sessionCapabilities.resume is advertised');
  const stub = stubOf(stage, 'kept');
  const { id } = await tryNewSession(stage, wire, { mcpServers: [stub.entry] });
  await stage.prompt(wire, id, stage.steer('say', { text: 'quince' }));
  if (!(await areMet([stub], stage.settings.patience.answer)))
    throw new Stopped('the agent did not connect the server when the session began');
  let next = await restart(stage, wire);
  for (const [method, , requirement] of ways) {
    await seeMetAgain(stage, { wire: next, id, method, requirement });
    if (method !== ways.at(-1)?.[0]) next = await letGo(stage, { wire: next, sessionId: id, initialized });
  }
}

async function seeServersEnd(stage: AgentStage): Promise<void> {
  const { wire, initialized } = await stage.ready();
  expectOffered(initialized, 'sessionCapabilities.close');
  const stub = stubOf(stage, 'closed');
  const { id: sessionId } = await tryNewSession(stage, wire, { mcpServers: [stub.entry] });
  await meet(stage, { wire, id: sessionId, stubs: [stub] });
  const start = await stub.started();
  if (start === undefined) throw new Stopped('the agent did not start the server');
  const { entry, error } = await wire.ask('session/close', { sessionId });
  if (error !== undefined) throw new Stopped('session/close was refused');
  stage.see.check('R094', await isGoneWithin(start.pid, asSoonAsPossible), {
    otherwise: `an MCP server of the session ran on ${asSoonAsPossible / 1000} seconds after session/close`,
    evidence: [entry],
  });
}

async function seeMetAgain(
  stage: AgentStage,
  {
    wire,
    id,
    method,
    requirement,
  }: {
    readonly wire: Wire;
    readonly id: string;
    readonly method: 'session/load' | 'session/resume';
    readonly requirement: RequirementId;
  },
): Promise<void> {
  // Another server: the agent connects what it is given now.
  const stub = stubOf(stage, `of-${method.slice('session/'.length)}`);
  const changes = { mcpServers: [stub.entry] };
  const { reply } = await bringBack(stage, { wire, method, sessionId: id, changes });
  if (reply.error !== undefined) return stage.see.unseen(requirement, `${method} was refused`);
  stage.see.check(requirement, await meet(stage, { wire, id, stubs: [stub] }), {
    otherwise: `a server named with ${method} was not connected, not even for a prompt`,
    evidence: [reply.entry],
  });
}

async function seeHttp(stage: AgentStage): Promise<void> {
  const secret = randomUUID();
  await using stub = await httpStub(secret);
  const { wire, initialized } = await stage.ready();
  const ways = (['http', 'sse'] as const).filter((way) => isOffered(initialized, `mcpCapabilities.${way}`));
  if (ways.length === 0) throw new Stopped('neither mcpCapabilities.http nor mcpCapabilities.sse is advertised');
  if (!ways.includes('http')) stage.see.unseen('R107', 'mcpCapabilities.http is not advertised');
  const { id } = await tryNewSession(stage, wire, { mcpServers: ways.map((way) => stub.entries[way]) });
  const visited = ways.map((way) => ({ meetings: () => Promise.resolve(stub.visits(way).length) }));
  await meet(stage, { wire, id, stubs: visited });
  for (const way of ways) {
    const [visit] = stub.visits(way);
    stage.see.check(way === 'http' ? 'R107' : 'R110', visit !== undefined, {
      otherwise: `mcpCapabilities.${way} is advertised, and a server on ${way} was not connected`,
      evidence: requestsFor(wire),
    });
    if (visit === undefined) continue;
    stage.see.check('R113', visit.secret === secret, {
      otherwise: `a server on ${way} got no header`,
      evidence: requestsFor(wire),
    });
    seeNoSecret(stage, wire, secret);
  }
}

async function seeUnadvertised(stage: AgentStage): Promise<void> {
  await using stub = await httpStub(randomUUID());
  const { wire, initialized } = await stage.ready();
  if (isOffered(initialized, 'mcpCapabilities.http')) throw new Stopped('mcpCapabilities.http is advertised');
  await stage.newSession(wire);
  // An agent may have one session at a time.
  const other = await stage.ready();
  const params = { cwd: stage.folder, mcpServers: [stub.entries.http] };
  const { entry, error } = await other.wire.ask('session/new', params);
  if (error !== undefined) return stage.see.held('R109');
  const visited = { meetings: () => Promise.resolve(stub.visits('http').length) };
  if (!(await areMet([visited], alone)))
    throw new Stopped('the session began without the server, and it is not visible whether the user was informed');
  stage.see.broken('R109', 'a server on HTTP was taken, and connected, though it is not advertised', [entry]);
}

/** Waits for the agent to connect; it may do so only when it is prompted. Whether all were met. */
async function meet(stage: AgentStage, { wire, id, stubs }: Meeting): Promise<boolean> {
  if (await areMet(stubs, alone)) return true;
  await stage.prompt(wire, id, stage.steer('say', { text: 'quince' }));
  return areMet(stubs, stage.settings.patience.answer);
}

interface Meeting {
  readonly wire: Wire;
  readonly id: string;
  readonly stubs: readonly Pick<StdioStub, 'meetings'>[];
}

/** Where the servers were named. */
function requestsFor(wire: Wire): readonly JournalEntry[] {
  return wire.journal.filter(({ message }) => asMessage(message)?.['method'] === 'session/new');
}

/** What was given for a server alone is in nothing that the agent says or prints. */
function seeNoSecret({ see }: AgentStage, wire: Wire, secret: string): void {
  const announced = wire.journal.filter(({ from, text }) => from === 'agent' && text.includes(secret));
  const isPrinted = wire.line.process?.stderr().includes(secret) === true;
  see.check('R114', announced.length === 0 && !isPrinted, {
    otherwise: `what an MCP server was to get alone is ${isPrinted ? 'on stderr' : 'in a message'}`,
    evidence: announced,
  });
}

function stubOf({ folder }: AgentStage, name: string, fails = false): StdioStub {
  return stdioStub({ name, folder: dirname(folder), secret: `secret-${randomUUID()}`, fails });
}

function secretOf(stub: StdioStub | undefined): string {
  const env = stub?.entry['env'] as readonly { readonly value: string }[] | undefined;
  return env?.[0]?.value ?? '';
}
