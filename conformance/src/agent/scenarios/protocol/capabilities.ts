import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Stopped } from '../../../wire/stopped.ts';
import type { JournalEntry, RawMessage } from '../../../wire/journal.ts';
import { asMessage, type Reply } from '../../../wire/messages.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import { bareClient } from '../../host/client-offer.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { failureOf, loginFirst } from '../../failed-turn.ts';
import { clientCapabilitiesOf, flagRows } from '../../pieces/flag-rows.ts';
import { updatesIn } from '../../pieces/frames.ts';
import { refusalWords } from '../../pieces/refusal-words.ts';

const unsupported = [-32_601, -32_602];

/** What a client offers, and what it does not. */
export const capabilityScenarios: readonly AgentScenario[] = [
  {
    id: 'capabilities/none',
    title: 'a client that offers nothing has sessions, prompts and updates all the same',
    covers: ['R048'],
    client: bareClient,
    run: async (stage) => {
      const { wire } = await stage.ready();
      await seeBaseline(stage, wire);
    },
  },
  {
    id: 'capabilities/absent',
    title: 'a client that does not speak of capabilities, nor of itself, offers none, and is served',
    covers: ['R034', 'R042'],
    client: bareClient,
    run: async (stage) => {
      const prompt = stage.steer('write', { path: 'made.txt', text: 'made' });
      const { wire } = await stage.ready({ clientCapabilities: undefined, clientInfo: undefined });
      stage.see.held('R034');
      const { id } = await stage.newSession(wire);
      await stage.prompt(wire, id, prompt);
      if (!existsSync(join(stage.folder, 'made.txt'))) throw new Stopped('the agent did not make the file');
      seeNoCalls(stage, wire);
    },
  },
  {
    id: 'capabilities/null',
    title: 'a capability that is null is not there: the client is not asked for it',
    covers: ['R050'],
    run: async (stage) => {
      const prompt = stage.steer('ask', { question: 'Which colour?', choices: 'red, green' });
      const offered = await questionsOf(stage, { elicitation: { form: {}, url: {} } }, prompt);
      if (offered.length === 0) throw new Stopped('the agent asks nothing with elicitation');
      const calls = await questionsOf(stage, { elicitation: null, session: null }, prompt);
      stage.see.check('R050', calls.length === 0, { otherwise: 'elicitation was null, and was used', evidence: calls });
    },
  },
  {
    id: 'capabilities/unknown',
    title: 'unknown capabilities do not disturb the handshake',
    covers: ['R034'],
    client: { 'turnwire.dev/future': { any: ['thing'] }, futureCapability: {}, fs: { futureFlag: true } },
    run: async (stage) => {
      await stage.ready();
      stage.see.held('R034');
    },
  },
  {
    id: 'capabilities/combinations',
    title: 'whatever a client offers, and does not, sessions begin and turns end',
    covers: ['R041'],
    run: async (stage) => {
      const failures: Failure[] = [];
      // Two at a time: agents can be heavy.
      for (let nth = 0; nth < flagRows.length; nth += 2)
        failures.push(...(await Promise.all([failureWith(stage, nth), failureWith(stage, nth + 1)])).flat());
      // What goes wrong whatever the client offers does not come of what it offers.
      if (failures.length === flagRows.length) throw new Stopped(`it works with no client: ${failures[0]?.why}`);
      stage.see.check('R041', failures.length === 0, {
        otherwise: `it does not work with clients that offer ${JSON.stringify(failures.map(({ offer }) => offer))}`,
        evidence: failures.map(({ entry }) => entry),
      });
    },
  },
];

async function seeBaseline(stage: AgentStage, wire: Wire): Promise<void> {
  const { id } = await stage.newSession(wire);
  const prompt = [{ type: 'text', text: stage.steer('say', { text: 'hello' }) }];
  const { entry, error, result } = await stage.askPrompt(wire, { sessionId: id, prompt });
  const isThere = error === undefined || !unsupported.includes(error.code as number);
  stage.see.check('R048', isThere, { otherwise: 'a prompt of one text was refused', evidence: [entry] });
  if (error !== undefined) throw new Stopped(failureOf(error));
  const hasUpdate = updatesIn(wire.journal).some(({ sessionId }) => sessionId === id);
  const stopReason = asMessage(result)?.['stopReason'];
  // A turn that did not end as usual may have had nothing to report.
  if (!hasUpdate && stopReason !== 'end_turn') throw new Stopped(`the turn ended with ${JSON.stringify(stopReason)}`);
  stage.see.check('R048', hasUpdate, {
    otherwise: 'the turn went by without any session/update of its session',
    evidence: [entry],
  });
}

/** What the agent asks the user in a turn, of a client that offers this. */
async function questionsOf(
  stage: AgentStage,
  clientCapabilities: RawMessage,
  prompt: string,
): Promise<readonly JournalEntry[]> {
  const { wire } = await stage.ready({ clientCapabilities });
  const { id } = await stage.newSession(wire);
  await stage.prompt(wire, id, prompt);
  return callsOf(wire, /^elicitation\//);
}

function seeNoCalls(stage: AgentStage, wire: Wire): void {
  const calls = callsOf(wire, /^(?:fs|terminal|elicitation)\//);
  stage.see.check('R042', calls.length === 0, {
    otherwise: 'what the client does not offer was used',
    evidence: calls,
  });
}

function callsOf(wire: Wire, pattern: RegExp): readonly JournalEntry[] {
  return wire.received().flatMap(({ entry, message }) => (pattern.test(String(message['method'])) ? [entry] : []));
}

/** A client that an agent does not work with. */
interface Failure {
  readonly offer: RawMessage;
  readonly why: string;
  readonly entry: JournalEntry;
}

/** What comes of the capabilities of a row, if they make something fail. Models fail for other reasons too: those do not count. */
async function failureWith(stage: AgentStage, nth: number): Promise<readonly Failure[]> {
  const offer = clientCapabilitiesOf(flagRows[nth] ?? []);
  const text = stage.steer('write', { path: `made-${nth}.txt`, text: 'made' });
  const wire = await stage.open();
  const failure = ({ entry, error }: Reply): readonly Failure[] =>
    error === undefined ? [] : [{ offer, why: refusalWords(error), entry }];
  const greeting = await wire.ask('initialize', { protocolVersion: 1, clientCapabilities: offer });
  if (greeting.error !== undefined) return failure(greeting);
  const created = await wire.ask('session/new', { cwd: stage.folder, mcpServers: [] });
  if (created.error?.code === -32_000) throw new Stopped(loginFirst);
  if (created.error !== undefined) return failure(created);
  const sessionId = asMessage(created.result)?.['sessionId'];
  const turn = { sessionId, prompt: [{ type: 'text', text }] };
  const ended = await stage.askPrompt(wire, turn);
  await wire.close();
  return unsupported.includes(ended.error?.code as number) ? failure(ended) : [];
}
