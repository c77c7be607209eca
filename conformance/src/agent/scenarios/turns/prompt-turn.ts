import { pathToFileURL } from 'node:url';
import { at, isAnswerTo, objectsIn, quoted } from '../../../wire/messages.ts';
import { type AgentScript, type AgentScripts, type AgentStage, inSession } from '../../agent-stage.ts';
import { type Frames, framesOf, type Update } from '../../frames.ts';
import { bareClient } from '../../host/client-offer.ts';
import { calm, expectDone, longCalm } from '../../pieces/preconditions.ts';
import type { RunningTurn } from '../../running-turn.ts';
import type { ReadyAgent, Session } from '../../session.ts';

const steps = { first: 'pick the quinces', second: 'wash the quinces', third: 'cook the quinces' };

export const promptTurnScenarios: AgentScripts = {
  'prompt-turn/answer': inSession(async (session, stage) => {
    const uri = pathToFileURL(stage.path('orchard.txt')).href;
    const words = { type: 'text', text: stage.steer('say', { text: 'quince' }) };
    for (const prompt of [[words], [words, { type: 'resource_link', uri, name: 'orchard.txt' }]]) {
      const turn = await session.prompt(prompt);
      const { request, stopReason, entry, answered } = turn;
      // Read now: what comes later came after the answer, which is judged of every connection.
      const shown = turn.outputs;
      await session.wire.quiet(longCalm);
      if (stopReason !== 'end_turn') stage.see.unseen('R139', `the turn ended with ${quoted(stopReason)}`);
      if (stopReason !== 'end_turn' || turn.after(answered).outputs.length > 0) continue;
      const [first] = shown;
      // Updates of another session do not reach listeners of this one.
      const strayed = `the updates of the turn have the session ${quoted(first?.sessionId)}, not that of its prompt`;
      const isOwn = shown.some(({ sessionId }) => sessionId === session.id);
      const fault = first === undefined ? 'the turn ended as usual without any update' : strayed;
      stage.see.check('R139', !isOwn && fault, request, entry, first);
    }
  }),
  'prompt-turn/overlap': inSession(async (session, stage) => {
    const prompts = ['quince', 'medlar'].map((text) => stage.steer('say', { text }));
    await seeEachAnswered(
      stage,
      session,
      prompts.map((prompt) => session.begin(prompt)),
    );
  }),
  'prompt-turn/two-sessions': async (stage) => {
    const one = await stage.session();
    const other = await one.agent.session();
    const quince = one.begin(stage.steer('say', { text: 'quince' }));
    const medlar = other.begin(stage.steer('say', { text: 'medlar' }));
    await seeEachAnswered(stage, one, [quince, medlar]);
    const [ofOne, ofOther] = [one, other].map(({ id }) =>
      framesOf(one.outputs.filter(({ sessionId }) => sessionId === id).map(({ entry }) => entry)),
    ) as [Frames, Frames];
    expectDone(/quince|medlar/.test(ofOne.words + ofOther.words), 'say a word');
    const isMixed = ofOne.words.includes('medlar') || ofOther.words.includes('quince');
    const fault = isMixed && 'what was asked in one session was answered in the other';
    stage.see.check('R078', fault, quince.request, medlar.request, quince.outputs);
  },
  'plan/entries': async (stage) => {
    const plans = (await (await stage.session()).does('plan', steps)).updates('plan');
    const last = plans.at(-1);
    expectDone(last !== undefined, 'plan');
    stage.see.held('R242');
    const announced = objectsIn(last.update['entries']).map(({ content }) => content);
    const wanted: readonly unknown[] = Object.values(steps);
    // In a plan with other words the entries cannot be identified.
    if (announced.some((entry) => !wanted.includes(entry)))
      return stage.see.unseen('R243', 'the agent put its plan in other words');
    const missing = wanted.filter((step) => !announced.includes(step)).map((step) => `“${String(step)}”`);
    stage.see.check('R243', missing.length > 0 && `the plan was sent without ${missing.join(' and ')}`, plans);
  },
  'notices/not-offered': offeredAndNot('session.notices', async (agent, stage) => {
    // What does not keep an agent from working, and is something to complain about.
    const gone = { name: 'gone', command: stage.path('no-such-server'), args: [], env: [] };
    const session = await agent.session({ mcpServers: [gone] });
    await session.says('quince');
    return session.updates('notice');
  }),
  'compaction/not-offered': offeredAndNot('session.compaction', async (agent) => {
    const session = await agent.session();
    for (const text of ['quince', 'medlar']) await session.says(text);
    const commands = session.updates().flatMap(({ update }) => objectsIn(update['availableCommands']));
    const canCompact = commands.some((command) => command['name'] === 'compact');
    expectDone(canCompact, 'compact a conversation by a command of that name');
    await session.prompt('/compact');
    return session.updates().filter(({ kind }) => String(kind).startsWith('compaction_'));
  }),
  'unstable/plans-not-offered': offeredAndNot('plan', async (agent) =>
    (await (await agent.session()).does('plan', steps)).updates('plan_update', 'plan_removed'),
  ),
};

/** A client which offers to show updates of some kind, and one that offers nothing: whether that one gets them is judged of every connection. */
function offeredAndNot(
  capability: string,
  updates: (agent: ReadyAgent, stage: AgentStage) => Promise<readonly Update[]>,
): AgentScript {
  return async (stage) => {
    const seen = await updates(await stage.ready(), stage);
    expectDone(seen.length > 0, `send what a client may be shown that offers ${capability}`);
    await updates(await stage.ready({ clientCapabilities: bareClient }), stage);
  };
}

/** Whether each of some turns has exactly one answer. Those that do not end by themselves are cancelled: that ends every turn. */
async function seeEachAnswered(
  { see, settings, turnPatience }: AgentStage,
  { wire }: Session,
  turns: readonly RunningTurn[],
): Promise<void> {
  for (const turn of turns) {
    if ((await turn.endWithin(turnPatience)) !== undefined) continue;
    turn.cancel();
    await turn.endWithin(settings.patience.answer);
  }
  await wire.quiet(calm);
  for (const { request } of turns) {
    const id = at(request.message, 'id');
    const answers = wire.received().filter(({ message }) => isAnswerTo(id, message));
    const times = answers.length;
    see.check('R166', times !== 1 && `a prompt beside another was answered ${times} times`, request, answers);
  }
}
