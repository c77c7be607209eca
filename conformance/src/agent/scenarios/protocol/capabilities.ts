import { at, type JournalEntry, quoted, type RawMessage, type Reply } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type AgentScripts, type AgentContext, inSession } from '../../agent-context.ts';
import { failureOf, isRefusal, loginRequired, refusalText } from '../../failed-turn.ts';
import type { AgentRequest } from '../../frames.ts';
import { clientCapabilitiesOf, flagRows } from '../../fixtures/flag-rows.ts';

export const capabilityScenarios: AgentScripts = {
  'capabilities/none': inSession(async (session, context) => {
    const turn = await session.begin(context.steer('say', { text: 'hello' })).end();
    const { error, stopReason } = turn;
    context.see.check(
      'R048',
      error !== undefined && isRefusal(error) && 'a prompt with one text block was refused',
      turn,
    );
    if (error !== undefined) throw new Stopped(failureOf(error));
    const hasUpdate = session.updates().some(({ sessionId }) => sessionId === session.id);
    // A turn with another stop reason may have had nothing to report.
    if (!hasUpdate && stopReason !== 'end_turn') throw new Stopped(`the turn ended with ${quoted(stopReason)}`);
    context.see.check('R048', !hasUpdate && 'the turn ended without any session/update for its session', turn);
  }),
  'capabilities/absent': async (context) => {
    const prompt = context.steer('write', { path: 'made.txt', text: 'made' });
    const agent = await context.ready({ clientCapabilities: undefined, clientInfo: undefined });
    context.see.held('R034');
    await (await agent.session()).prompt(prompt);
    if ((await context.textOf('made.txt')) === undefined) throw new Stopped('the agent did not make the file');
    const calls = ['fs/', 'terminal/', 'elicitation/'].flatMap((group) => agent.requests(group));
    context.see.check('R042', calls.length > 0 && 'the agent called methods that the client does not offer', calls);
  },
  'capabilities/null': async (context) => {
    const prompt = context.steer('ask', { question: 'Which colour?', choices: 'red, green' });
    const questionsOf = async (clientCapabilities: RawMessage): Promise<readonly AgentRequest[]> => {
      const session = await (await context.ready({ clientCapabilities })).session();
      return (await session.prompt(prompt)).requests('elicitation/');
    };
    if ((await questionsOf({ elicitation: { form: {}, url: {} } })).length === 0)
      throw new Stopped('the agent asks no questions with elicitation');
    const calls = await questionsOf({ elicitation: null, session: null });
    context.see.check(
      'R050',
      calls.length > 0 && 'the agent used elicitation although the client offered it as null',
      calls,
    );
  },
  'capabilities/unknown': async (context) => {
    await context.ready();
    context.see.held('R034');
  },
  'capabilities/combinations': async (context) => {
    const failures: Failure[] = [];
    // Two at a time: agents can be heavy.
    for (let nth = 0; nth < flagRows.length; nth += 2)
      failures.push(...(await Promise.all([failureWith(context, nth), failureWith(context, nth + 1)])).flat());
    // A failure with every client is not caused by the capabilities.
    if (failures.length === flagRows.length)
      throw new Stopped(`the agent fails with every set of capabilities: ${failures[0]?.why}`);
    const offers = quoted(failures.map(({ offer }) => offer));
    context.see.check('R041', failures.length > 0 && `the agent fails with clients that offer ${offers}`, failures);
  },
};

/** A set of client capabilities with which an agent fails. */
interface Failure {
  readonly offer: RawMessage;
  readonly why: string;
  readonly entry: JournalEntry;
}

/** The failure with the capabilities of a row, if there is one. Only refusals count: models fail for other reasons too. */
async function failureWith(context: AgentContext, nth: number): Promise<readonly Failure[]> {
  const offer = clientCapabilitiesOf(flagRows[nth] ?? []);
  const text = context.steer('write', { path: `made-${nth}.txt`, text: 'made' });
  const wire = await context.open();
  const failure = ({ entry, error }: Reply): readonly Failure[] =>
    error === undefined ? [] : [{ offer, why: refusalText(error), entry }];
  const greeting = await wire.ask('initialize', { protocolVersion: 1, clientCapabilities: offer });
  if (greeting.error !== undefined) return failure(greeting);
  const created = await context.starts.start(wire, 'session/new', { cwd: context.folder, mcpServers: [] });
  if (created.error?.code === -32_000) throw new Stopped(loginRequired);
  if (created.error !== undefined) return failure(created);
  const sessionId = at(created.result, 'sessionId');
  const ended = await context.turns.ask(wire, { sessionId, prompt: [{ type: 'text', text }] });
  await wire.close();
  return ended.error !== undefined && isRefusal(ended.error) ? failure(ended) : [];
}
