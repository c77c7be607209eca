// Snippets of the guide. They are compiled, so that the guide stays correct; the other examples also run.
import { defineAgent } from '@turnwire/agent';
import { serveAgent, sessionStore } from '@turnwire/agent/node';
import type { AgentDefinition, Turn } from '@turnwire/agent';
import {
  type Agent,
  approveAll,
  attachAgent,
  optionOfKind,
  type PermissionPolicy,
  type Session,
} from '@turnwire/client';
import { launchAgent, localFiles, localTerminals } from '@turnwire/client/node';
import { protocolVersions } from '@turnwire/client/v2';
import type { TranscriptView } from '@turnwire/client/transcript';
import type { SessionUpdate } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';

export async function readThroughClient(turn: Turn, path: string): Promise<string> {
  // #region client-file
  const text = await turn.files.read(path);
  // #endregion
  return text;
}

export function agentThatRemembers(folder: string): AgentDefinition<string[]> {
  // #region agent-store
  const agent = defineAgent<string[]>({
    info: { name: 'rememberer', version: '1.0.0' },
    store: sessionStore(folder),
    openSession: ({ restored }) => (restored?.kept ?? []) as string[],
    prompt: async (turn) => {
      turn.session.memory.push(turn.text);
      await turn.session.keep(turn.text);
      await turn.say(`So far you said: ${turn.session.memory.join(', ')}`);
    },
  });
  // #endregion
  return agent;
}

export async function askForName(turn: Turn): Promise<string | undefined> {
  // #region agent-question
  const form = { type: 'object', properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] } as const;
  const answer = await turn.askUser({ message: 'Who is it for?', form });
  if (answer.outcome === 'said') return undefined; // the next prompt is the answer: end the turn
  const name = answer.outcome === 'answered' ? String(answer.values['name']) : 'nobody';
  // #endregion
  return name;
}

export async function tryAgent(definition: AgentDefinition, told: SessionUpdate[]): Promise<unknown> {
  // #region agent-test
  const broken: string[] = [];
  const [here, there] = memoryPair();
  serveAgent(definition, { transport: there, selfCheck: (rule) => void broken.push(rule) });
  await using agent = await attachAgent(here, { permission: approveAll });
  const session = await agent.newSession({ cwd: process.cwd() });
  const turn = session.prompt('hello');
  for await (const update of turn) told.push(update);
  const { stopReason } = await turn;
  // #endregion
  return { stopReason, broken };
}

export async function followTurn(session: Session, show: (update: SessionUpdate) => void): Promise<string> {
  // #region turn
  const turn = session.prompt('search for TODO');
  for await (const update of turn) show(update);
  const { stopReason } = await turn;
  // #endregion
  return stopReason;
}

export async function launchAsking(command: string, ask: (question: string) => Promise<boolean>): Promise<Agent> {
  // #region permission
  const agent = await launchAgent(command, {
    permission: async ({ toolCall, options }) => {
      const allowed = await ask(toolCall.title ?? 'Go on?');
      return optionOfKind(options, allowed ? 'allow_once' : 'reject_once');
    },
  });
  // #endregion
  return agent;
}

export async function callExtension(agent: Agent): Promise<unknown> {
  // #region extension
  const answer = await agent.peer.request('_example.com/ping', { hello: true });
  // #endregion
  return answer;
}

export async function launchWithHost(command: string, permission: PermissionPolicy): Promise<Agent> {
  // #region host
  const host = { files: localFiles(), terminals: localTerminals() };
  const agent = await launchAgent(command, { host, permission });
  // #endregion
  return agent;
}

export async function serveToOthers(definition: AgentDefinition): Promise<void> {
  // #region agent-listen
  const { url, token } = await serveAgent(definition, { listen: { port: 8080 } });
  console.error(`TURNWIRE_TOKEN=${token} turnwire --agent ${url}`);
  // #endregion
}

export function serveBothVersions(definition: AgentDefinition): void {
  // #region agent-versions
  serveAgent(definition, { versions: [1, 2] });
  // #endregion
}

export async function versionOf(command: string): Promise<number> {
  // #region client-versions
  await using agent = await launchAgent(command, { versions: protocolVersions([1, 2]) });
  console.log(agent.version); // 2, or 1 if the agent has only that
  // #endregion
  return agent.version;
}

export async function planFirst(session: Session): Promise<void> {
  // #region modes
  const { modes } = session; // undefined if the agent has none
  console.log(
    modes?.current,
    modes?.available.map(({ id, name }) => `${id}: ${name}`),
  );
  if (modes?.available.some(({ id }) => id === 'plan')) await modes.set('plan');
  // #endregion
}

export function shownLines(transcript: TranscriptView): readonly string[] {
  // #region transcript
  const lines = [...transcript.entries].flatMap((entry) => {
    if (entry.type === 'tool-call') return [`${entry.state}: ${entry.title}`];
    if (entry.type !== 'user' && entry.type !== 'agent') return [];
    return entry.content.flatMap((block) => (block.type === 'text' ? [`${entry.type}: ${block.text}`] : []));
  });
  // #endregion
  return lines;
}
