import { at, type JournalEntry, quoted, type RawMessage, type Reply } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type AgentScripts, type AgentStage, inSession } from '../../agent-stage.ts';
import { failureOf, isRefusal, loginFirst, refusalWords } from '../../failed-turn.ts';
import type { Asked } from '../../frames.ts';
import { clientCapabilitiesOf, flagRows } from '../../pieces/flag-rows.ts';

export const capabilityScenarios: AgentScripts = {
  'capabilities/none': inSession(async (session, stage) => {
    const turn = await session.begin(stage.steer('say', { text: 'hello' })).end();
    const { error, stopReason } = turn;
    stage.see.check('R048', error !== undefined && isRefusal(error) && 'a prompt of one text was refused', turn);
    if (error !== undefined) throw new Stopped(failureOf(error));
    const hasUpdate = session.updates().some(({ sessionId }) => sessionId === session.id);
    // A turn that did not end as usual may have had nothing to report.
    if (!hasUpdate && stopReason !== 'end_turn') throw new Stopped(`the turn ended with ${quoted(stopReason)}`);
    stage.see.check('R048', !hasUpdate && 'the turn went by without any session/update of its session', turn);
  }),
  'capabilities/absent': async (stage) => {
    const prompt = stage.steer('write', { path: 'made.txt', text: 'made' });
    const agent = await stage.ready({ clientCapabilities: undefined, clientInfo: undefined });
    stage.see.held('R034');
    await (await agent.session()).prompt(prompt);
    if ((await stage.textOf('made.txt')) === undefined) throw new Stopped('the agent did not make the file');
    const calls = ['fs/', 'terminal/', 'elicitation/'].flatMap((group) => agent.asked(group));
    stage.see.check('R042', calls.length > 0 && 'what the client does not offer was used', calls);
  },
  'capabilities/null': async (stage) => {
    const prompt = stage.steer('ask', { question: 'Which colour?', choices: 'red, green' });
    const questionsOf = async (clientCapabilities: RawMessage): Promise<readonly Asked[]> => {
      const session = await (await stage.ready({ clientCapabilities })).session();
      return (await session.prompt(prompt)).asked('elicitation/');
    };
    if ((await questionsOf({ elicitation: { form: {}, url: {} } })).length === 0)
      throw new Stopped('the agent asks nothing with elicitation');
    const calls = await questionsOf({ elicitation: null, session: null });
    stage.see.check('R050', calls.length > 0 && 'elicitation was null, and was used', calls);
  },
  'capabilities/unknown': async (stage) => {
    await stage.ready();
    stage.see.held('R034');
  },
  'capabilities/combinations': async (stage) => {
    const failures: Failure[] = [];
    // Two at a time: agents can be heavy.
    for (let nth = 0; nth < flagRows.length; nth += 2)
      failures.push(...(await Promise.all([failureWith(stage, nth), failureWith(stage, nth + 1)])).flat());
    // What goes wrong whatever the client offers does not come of what it offers.
    if (failures.length === flagRows.length) throw new Stopped(`it works with no client: ${failures[0]?.why}`);
    const offers = quoted(failures.map(({ offer }) => offer));
    stage.see.check('R041', failures.length > 0 && `it does not work with clients that offer ${offers}`, failures);
  },
};

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
  const created = await stage.starts.start(wire, 'session/new', { cwd: stage.folder, mcpServers: [] });
  if (created.error?.code === -32_000) throw new Stopped(loginFirst);
  if (created.error !== undefined) return failure(created);
  const sessionId = at(created.result, 'sessionId');
  const ended = await stage.turns.ask(wire, { sessionId, prompt: [{ type: 'text', text }] });
  await wire.close();
  return ended.error !== undefined && isRefusal(ended.error) ? failure(ended) : [];
}
