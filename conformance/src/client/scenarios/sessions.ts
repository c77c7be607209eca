import { mkdir, writeFile } from 'node:fs/promises';
import { isAbsolute } from '../../audit/rules/is-absolute.ts';
import type { RequirementId } from '../../requirements/requirement.ts';
import { at, quoted, type RawMessage } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import { WireError } from '../../wire/wire.ts';
import { fullAgent, keptSession } from '../agent/agent-offer.ts';
import {
  type ClientScript,
  type ClientScripts,
  type ClientStage,
  didNot,
  type Done,
  type Values,
} from '../client-stage.ts';
import type { ClientAction } from '../drive/client-driver.ts';
import { continuesNormally, survives, wordsAfter } from './endings.ts';

export const sessionsScenarios: ClientScripts = {
  'sessions/new': async (stage) => {
    const { agent } = await stage.turn((turn) => turn.say(wordsAfter));
    const [call] = agent.calls('session/new');
    if (call === undefined) return;
    const { cwd, mcpServers } = call.params;
    const isWhole = typeof cwd === 'string' && Array.isArray(mcpServers);
    stage.see.check('R076', !isWhole && 'session/new has no cwd, or no mcpServers', call);
    stage.see.check('R079', !isAbsolute(String(cwd)) && `cwd is ${quoted(cwd)}`, call);
  },
  'sessions/refused-for-good': refusedForGood('session/new', -32_602),
  'prompt/refused-for-good': refusedForGood('session/prompt', -32_600),
  'sessions/load': async (stage) => {
    stage.play((agent) => {
      agent.offer({ ...fullAgent, capabilities: { loadSession: true } });
      agent.handle('session/load', ({ sessionId }) => {
        agent.update(sessionId, { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'before' } });
        agent.say(sessionId, wordsAfter);
        return {};
      });
    });
    const done = await stage.perform('load', { session: keptSession });
    const [call] = done.agent.calls('session/load');
    if (call === undefined) throw didNot('loaded no session', done.end);
    const { sessionId, cwd, mcpServers } = call.params;
    const isWhole = sessionId === keptSession && typeof cwd === 'string' && Array.isArray(mcpServers);
    const fault = 'session/load lacks the session’s id, its folder or its MCP servers';
    stage.see.check('R084', !isWhole && fault, call);
    survives(stage, done);
  },
  'sessions/two-prompts': async (stage) => {
    const values = { next: 'Say more.' };
    const done = await stage.turn((turn) => turn.say(wordsAfter), { action: 'prompt twice', values });
    if (stage.agents.flatMap((agent) => agent.calls('session/prompt')).length < 2)
      throw didNot('sent one prompt only', done.end);
    continuesNormally(stage, done);
  },
  'sessions/list-pages': async (stage) => {
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
    const { cursor } = second.params;
    const fault = `the cursor ${quoted(oddCursor)} came back as ${quoted(cursor)}`;
    stage.see.check('R120', cursor !== oddCursor && fault, second);
  },
  'sessions/no-directories': async (stage) => {
    const { agent, end } = await withDirectory(stage, 'add directory', {});
    const begun = agent.calls('session/new');
    if (begun.length === 0) throw didNot('began no session', end);
    const sent = begun.filter(({ params }) => params['additionalDirectories'] !== undefined);
    const fault = sent.length > 0 && 'additionalDirectories is there, which the agent does not offer';
    stage.see.check('R096', fault, sent);
  },
  'sessions/directories': (stage) => seeDirectories(stage, 'add directory', ['R097', 'session/new']),
  'sessions/directory-of-the-session': async (stage) => {
    stage.play((agent) => agent.offer({ capabilities: fullAgent.capabilities }));
    const { agent, end } = await stage.perform('add directory', { directory: stage.folder });
    const [call] = agent.calls('session/new');
    if (call === undefined) throw didNot('began no session', end);
    const given: unknown = call.params['additionalDirectories'] ?? [];
    const isOnce = Array.isArray(given) && !given.includes(call.params['cwd']);
    stage.see.check('R102', !isOnce && 'additionalDirectories names the cwd', call);
  },
  'sessions/directories-again': (stage) =>
    seeDirectories(stage, 'load with directory', ['R099', 'session/load', 'session/resume']),
  'sessions/servers': async (stage) => {
    stage.play((agent) => agent.offer(fullAgent));
    const { agent, end } = await stage.perform('mcp servers', await serversFile(stage, 'http'));
    const given = agent.calls('session/new')[0]?.params['mcpServers'];
    const count = Array.isArray(given) ? given.length : 0;
    if (count !== 2) throw didNot(`named ${String(count)} of 2 MCP servers`, end);
    stage.see.check(['R112', 'R113'], undefined);
  },
  'sessions/no-http-servers': keepsServers('http'),
  'sessions/no-sse-servers': keepsServers('sse'),
};

/** What is refused for a reason that stays is not asked for again; something else may be. */
function refusedForGood(method: string, code: number): ClientScript {
  return async (stage) => {
    stage.play((agent) =>
      agent.handle(method, () => {
        throw new WireError(code, 'this will not do');
      }),
    );
    await stage.perform('prompt');
    const calls = stage.agents.flatMap((agent) => agent.calls(method));
    if (calls.length === 0) throw new Stopped(`the client sent no ${method}`);
    const different = new Set(calls.map(({ params }) => JSON.stringify({ ...params, sessionId: '' })));
    const times = String(calls.length);
    const fault = `${method} was tried ${times} times, though it was refused with ${String(code)}`;
    stage.see.check('R330', calls.length !== different.size && fault, calls);
  };
}

const oddCursor = 'p2/=?&%20+"ü🌍\\u0000 {"page":2}';

async function withDirectory(stage: ClientStage, action: ClientAction, capabilities: RawMessage): Promise<Done> {
  const directory = stage.beside('library');
  await mkdir(directory);
  stage.play((agent) => agent.offer({ capabilities }));
  return stage.perform(action, { directory, session: keptSession });
}

async function seeDirectories(
  stage: ClientStage,
  action: ClientAction,
  [requirement, ...methods]: readonly [RequirementId, ...string[]],
): Promise<void> {
  const { agent, end } = await withDirectory(stage, action, fullAgent.capabilities);
  const [call] = methods.flatMap((method) => agent.calls(method));
  if (call === undefined) throw didNot('opened no session', end);
  const given = quoted(call.params['additionalDirectories']);
  const fault = `additionalDirectories is ${given} and not the one folder that was given`;
  stage.see.check(requirement, given !== quoted([stage.beside('library')]) && fault, call);
}

/** A user who has two MCP servers: a program, and one that is far away, for an agent that takes none of those. */
function keepsServers(type: 'http' | 'sse'): ClientScript {
  return async (stage) => {
    const mcpCapabilities = { http: type !== 'http', sse: type !== 'sse' };
    stage.play((agent) => agent.offer({ capabilities: { mcpCapabilities } }));
    const { agent, end } = await stage.perform('mcp servers', await serversFile(stage, type));
    const [call] = agent.calls('session/new');
    const given = call?.params['mcpServers'];
    if (!Array.isArray(given)) throw didNot('named no MCP servers', end);
    const isNamed = given.some((server) => at(server, 'type') === type);
    const fault = `a server of the type ${type} is named, which the agent does not offer`;
    stage.see.check('R108', isNamed && fault, call);
  };
}

/** Both servers, as editors name them in files and as the protocol does. */
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
