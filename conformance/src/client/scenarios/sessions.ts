import { mkdir, writeFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { RequirementId } from '../../requirements/requirement.ts';
import { Stopped } from '../../wire/stopped.ts';
import { asMessage } from '../../wire/messages.ts';
import { WireError } from '../../wire/wire.ts';
import { fullAgent } from '../agent/agent-offer.ts';
import type { ClientScenario } from '../client-scenario.ts';
import { type ClientStage, didNot, type Done, type TurnScript, type Values } from '../client-stage.ts';
import type { ClientAction } from '../drive/client-driver.ts';
import { continuesNormally, survives, wordsAfter } from './endings.ts';

/** A session of an agent that keeps sessions. */
const kept = 'kept by the agent/0001 ä';

/** MCP servers for an agent that takes all. */
const handsOnServers: ClientScenario = {
  id: 'sessions/servers',
  title: 'MCP servers are handed on to an agent that can use them',
  covers: ['R112', 'R113'],
  run: async (stage) => {
    stage.play((agent) => agent.offer(fullAgent));
    const { agent, end } = await stage.perform('mcp servers', await serversFile(stage, 'http'));
    const given = agent.calls('session/new')[0]?.params['mcpServers'];
    const count = Array.isArray(given) ? given.length : 0;
    if (count !== 2) throw didNot(`named ${String(count)} of 2 MCP servers`, end);
    for (const requirement of ['R112', 'R113'] as const) stage.see.held(requirement);
  },
};

/** Sessions: begun, opened again, listed, closed and deleted. */
export const sessionsScenarios: readonly ClientScenario[] = [
  notOffered({ action: 'load', methods: ['session/load', 'session/resume'], covers: ['R083', 'R090'] }),
  notOffered({ action: 'list', methods: ['session/list'], covers: ['R115'] }),
  notOffered({ action: 'close', methods: ['session/close'], covers: ['R093'] }),
  notOffered({ action: 'delete', methods: ['session/delete'], covers: ['R130'] }),
  {
    id: 'sessions/new',
    title: 'a session begins with an absolute folder and a list of MCP servers',
    covers: ['R076', 'R079'],
    run: async (stage) => {
      const { agent } = await stage.turn(({ agent, sessionId }) => void agent.say(sessionId, wordsAfter));
      const [call] = agent.calls('session/new');
      if (call === undefined) return;
      const { cwd, mcpServers } = call.params;
      const fault =
        (typeof cwd !== 'string' || !Array.isArray(mcpServers)) && 'session/new has no cwd, or no mcpServers';
      stage.see.check('R076', fault, call);
      stage.see.check('R079', (typeof cwd !== 'string' || !isAbsolute(cwd)) && `cwd is ${JSON.stringify(cwd)}`, call);
    },
  },
  refusedForGood({ id: 'sessions/refused-for-good', method: 'session/new', code: -32_602 }),
  refusedForGood({ id: 'prompt/refused-for-good', method: 'session/prompt', code: -32_600 }),
  {
    id: 'sessions/load',
    title: 'a session that is opened again is named with its folder and its MCP servers, and its history is taken in',
    covers: ['R084', 'R336'],
    run: async (stage) => {
      stage.play((agent) => {
        agent.offer({ ...fullAgent, capabilities: { loadSession: true } });
        agent.handle('session/load', ({ sessionId }) => {
          agent.update(sessionId, { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'before' } });
          agent.say(sessionId, wordsAfter);
          return {};
        });
      });
      const done = await stage.perform('load', { session: kept });
      const [call] = done.agent.calls('session/load');
      if (call === undefined) throw didNot('loaded no session', done.end);
      const { sessionId, cwd, mcpServers } = call.params;
      const isWhole = sessionId === kept && typeof cwd === 'string' && Array.isArray(mcpServers);
      stage.see.check('R084', !isWhole && 'session/load lacks the session’s id, its folder or its MCP servers', call);
      survives(stage, done);
    },
  },
  {
    id: 'sessions/load-refused',
    title: 'a session that cannot be opened again is reported',
    covers: ['R338'],
    run: async (stage) => {
      stage.play((agent) => agent.offer({ ...fullAgent, capabilities: { loadSession: true } }));
      stage.play((agent) => agent.handle('session/load', () => Promise.reject(new Error('no such session'))));
      survives(stage, await stage.perform('load', { session: kept }), 'R338');
    },
  },
  {
    id: 'sessions/two-prompts',
    title: 'another prompt in a session is a separate turn',
    covers: ['R337'],
    run: async (stage) => {
      const done = await stage.turn(({ agent, sessionId }) => void agent.say(sessionId, wordsAfter), {
        action: 'prompt twice',
        values: { next: 'Say more.' },
      });
      if (stage.agents.flatMap((agent) => agent.calls('session/prompt')).length < 2)
        throw didNot('sent one prompt only', done.end);
      continuesNormally(stage, done);
    },
  },
  {
    id: 'sessions/list-pages',
    title: 'pages are asked for with the cursor as it came, and the page without one is the last',
    covers: ['R119', 'R120'],
    run: listPages,
  },
  {
    id: 'sessions/list-endless',
    title: 'a list that never ends does not block the client indefinitely',
    covers: ['R336'],
    run: async (stage) => {
      stage.play((agent) => {
        agent.offer(fullAgent);
        agent.handle('session/list', () => ({ sessions: [], nextCursor: 'again' }));
      });
      const run = await stage.start('list');
      const agent = await stage.launched();
      if ((await agent.call('session/list')) === undefined) throw new Stopped('the client asked for no list');
      const end = await stage.ended(run, 1_000);
      const fault = end.how === 'killed' && 'the client continued when it was interrupted';
      stage.see.check('R336', fault, agent.journal.slice(-4));
    },
  },
  {
    id: 'sessions/no-directories',
    title: 'an agent that does not take more folders is given none',
    covers: ['R096'],
    run: async (stage) => {
      const { agent, end } = await withDirectory(stage, 'add directory', {});
      const begun = agent.calls('session/new');
      if (begun.length === 0) throw didNot('began no session', end);
      const sent = begun.filter(({ params }) => params['additionalDirectories'] !== undefined);
      const fault = sent.length > 0 && 'additionalDirectories is there, which the agent does not offer';
      stage.see.check('R096', fault, sent);
    },
  },
  {
    id: 'sessions/directories',
    title: 'more folders are named, and absolute',
    covers: ['R097'],
    run: async (stage) => {
      const { agent, end } = await withDirectory(stage, 'add directory', fullAgent.capabilities);
      judgeDirectories(stage, { calls: agent.calls('session/new'), end }, 'R097');
    },
  },
  {
    id: 'sessions/directory-of-the-session',
    title: 'the folder of a session is not named a second time',
    covers: ['R102'],
    run: async (stage) => {
      stage.play((agent) => agent.offer({ capabilities: fullAgent.capabilities }));
      const { agent, end } = await stage.perform('add directory', { directory: stage.folder });
      const [call] = agent.calls('session/new');
      if (call === undefined) throw didNot('began no session', end);
      const given: unknown = call.params['additionalDirectories'] ?? [];
      const fault =
        (!Array.isArray(given) || given.includes(call.params['cwd'])) && 'additionalDirectories names the cwd';
      stage.see.check('R102', fault, call);
    },
  },
  {
    id: 'sessions/nulls',
    title: 'what is null in the answer to session/new is not there',
    covers: ['R337'],
    run: async (stage) => {
      stage.play((agent) => {
        agent.handle('initialize', () => ({ ...agent.introduction(), agentInfo: null, _meta: null }));
        agent.handle('session/new', () => ({ sessionId: 'session-1', modes: null, configOptions: null, _meta: null }));
      });
      const script: TurnScript = ({ agent, sessionId }) => {
        agent.say(sessionId, wordsAfter);
        return { stopReason: 'end_turn', _meta: null };
      };
      const done = await stage.turn(script, { hasWarnedBefore: true });
      continuesNormally(stage, done);
    },
  },
  {
    id: 'sessions/directories-again',
    title: 'a session that is opened again is given all its folders again',
    covers: ['R099'],
    run: async (stage) => {
      const { agent, end } = await withDirectory(stage, 'load with directory', fullAgent.capabilities);
      const calls = [...agent.calls('session/load'), ...agent.calls('session/resume')];
      judgeDirectories(stage, { calls, end }, 'R099');
    },
  },
  handsOnServers,
  keepsServers('http'),
  keepsServers('sse'),
];

interface NotOffered {
  readonly action: ClientAction;
  readonly methods: readonly string[];
  readonly covers: readonly RequirementId[];
}

/** What the agent does not offer is not called, whatever the user wants. */
function notOffered({ action, methods, covers }: NotOffered): ClientScenario {
  return {
    id: `sessions/cannot-${action}`,
    title: `a user who wants to ${action} a session of an agent that cannot is informed, and nothing is called`,
    covers: [...covers, 'R338'],
    run: async (stage) => {
      const done = await stage.perform(action, { session: kept });
      if (done.agent.calls('initialize').length === 0) throw didNot('did not initialize', done.end);
      const calls = methods.flatMap((method) => done.agent.calls(method));
      for (const requirement of covers)
        stage.see.check(
          requirement,
          calls.length > 0 && `${methods.join(' or ')} was called, which is not offered`,
          calls,
        );
      if (calls.length === 0) survives(stage, done, 'R338');
    },
  };
}

interface Refused extends Pick<ClientScenario, 'id'> {
  readonly method: string;
  readonly code: number;
}

/** What is refused for a reason that stays is not asked for again; something else may be. */
function refusedForGood({ id, method, code }: Refused): ClientScenario {
  return {
    id,
    title: `${method} is not tried again after the error ${String(code)}`,
    covers: ['R330'],
    run: async (stage) => {
      stage.play((agent) =>
        agent.handle(method, () => {
          throw new WireError(code, 'this will not do');
        }),
      );
      await stage.perform('prompt');
      const calls = stage.agents.flatMap((agent) => agent.calls(method));
      if (calls.length === 0) throw new Stopped(`the client sent no ${method}`);
      const different = new Set(calls.map(({ params }) => JSON.stringify({ ...params, sessionId: '' })));
      const fault =
        calls.length !== different.size &&
        `${method} was tried ${String(calls.length)} times, though it was refused with ${String(code)}`;
      stage.see.check('R330', fault, calls);
    },
  };
}

const oddCursor = 'p2/=?&%20+"ü🌍\\u0000 {"page":2}';

async function listPages(stage: ClientStage): Promise<void> {
  const listed = (sessionId: string): unknown => ({ sessionId, cwd: stage.folder, title: `Session ${sessionId}` });
  stage.play((agent) => {
    agent.offer(fullAgent);
    agent.handle('session/list', ({ cursor }) =>
      cursor === undefined || cursor === null
        ? { sessions: [listed('one')], nextCursor: oddCursor }
        : { sessions: [listed('two')] },
    );
  });
  const { agent, end } = await stage.perform('list');
  const [first, second, ...more] = agent.calls('session/list');
  if (first === undefined) throw didNot('asked for no list', end);
  stage.see.check('R119', more.length > 0 && 'the list was asked for after its end', more);
  // One page is enough for a client that shows pages one by one.
  if (second === undefined) return stage.see.unseen('R120', 'the client asked for one page only');
  const fault =
    second.params['cursor'] !== oddCursor &&
    `the cursor ${JSON.stringify(oddCursor)} came back as ${JSON.stringify(second.params['cursor'])}`;
  stage.see.check('R120', fault, second);
}

async function withDirectory(
  stage: ClientStage,
  action: ClientAction,
  capabilities: typeof fullAgent.capabilities,
): Promise<Done> {
  const directory = stage.beside('library');
  await mkdir(directory);
  stage.play((agent) => agent.offer({ capabilities }));
  return stage.perform(action, { directory, session: kept });
}

function judgeDirectories(
  stage: ClientStage,
  { calls, end }: Pick<Done, 'end'> & { readonly calls: ReturnType<Done['agent']['calls']> },
  requirement: RequirementId,
): void {
  const [call] = calls;
  if (call === undefined) throw didNot('opened no session', end);
  const given = call.params['additionalDirectories'];
  const fault =
    JSON.stringify(given) !== JSON.stringify([stage.beside('library')]) &&
    `additionalDirectories is ${JSON.stringify(given)} and not the one folder that was given`;
  stage.see.check(requirement, fault, call);
}

/** A user who has two MCP servers: a program, and one that is far away, for an agent that takes none of those. */
function keepsServers(type: 'http' | 'sse'): ClientScenario {
  return {
    id: `sessions/no-${type}-servers`,
    title: `MCP servers of the type ${type} are kept from an agent that cannot use them`,
    covers: ['R108'],
    run: async (stage) => {
      stage.play((agent) =>
        agent.offer({ capabilities: { mcpCapabilities: { http: type !== 'http', sse: type !== 'sse' } } }),
      );
      const { agent, end } = await stage.perform('mcp servers', await serversFile(stage, type));
      const [call] = agent.calls('session/new');
      const given = call?.params['mcpServers'];
      if (!Array.isArray(given)) throw didNot('named no MCP servers', end);
      const fault =
        given.some((server) => asMessage(server)?.['type'] === type) &&
        `a server of the type ${type} is named, which the agent does not offer`;
      stage.see.check('R108', fault, call);
    },
  };
}

async function serversFile(stage: ClientStage, type: 'http' | 'sse'): Promise<Values> {
  const [servers, serverList] = [stage.beside('servers.json'), stage.beside('server-list.json')];
  const program = { command: process.execPath, args: ['--version'] };
  const remote = { type, url: 'http://127.0.0.1:9/mcp' };
  const asEditorsDo = {
    program: { ...program, env: { LEVEL: 'high' } },
    remote: { ...remote, headers: { 'X-Level': 'high' } },
  };
  const asTheProtocolDoes = [
    { name: 'program', ...program, env: [{ name: 'LEVEL', value: 'high' }] },
    { name: 'remote', ...remote, headers: [{ name: 'X-Level', value: 'high' }] },
  ];
  await writeFile(servers, JSON.stringify({ mcpServers: asEditorsDo }));
  await writeFile(serverList, JSON.stringify({ mcpServers: asTheProtocolDoes }));
  return { servers, serverList };
}
