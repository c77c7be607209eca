import { pathToFileURL } from 'node:url';
import { at, isAnswerTo, objectsIn, quoted } from '../../../wire/messages.ts';
import { type AgentScript, type AgentScripts, type AgentContext, inSession } from '../../agent-context.ts';
import { type Frames, framesOf, type Update } from '../../frames.ts';
import { bareClient } from '../../host/client-offer.ts';
import { calm, expectDone, longCalm } from '../../fixtures/preconditions.ts';
import type { RunningTurn } from '../../running-turn.ts';
import type { ReadyAgent, Session } from '../../session.ts';

const steps = { first: 'pick the quinces', second: 'wash the quinces', third: 'cook the quinces' };

export const promptTurnScenarios: AgentScripts = {
  'prompt-turn/answer': inSession(async (session, context) => {
    const uri = pathToFileURL(context.path('orchard.txt')).href;
    const words = { type: 'text', text: context.steer('say', { text: 'quince' }) };
    for (const prompt of [[words], [words, { type: 'resource_link', uri, name: 'orchard.txt' }]]) {
      const turn = await session.prompt(prompt);
      const { request, stopReason, entry, answered } = turn;
      const failed = stopReason === 'end_turn' && !turn.words.includes('quince') && failureIn(turn.words);
      const hidden = failed && `the turn ended with end_turn although it failed: ${failed}`;
      if (stopReason === 'end_turn') context.see.check('R415', hidden, request, entry);
      // Read them now: an audit rule judges what arrives after the answer.
      const shown = turn.outputs;
      await session.wire.quiet(longCalm);
      if (stopReason !== 'end_turn') context.see.unseen('R139', `the turn ended with ${quoted(stopReason)}`);
      if (stopReason !== 'end_turn' || turn.after(answered).outputs.length > 0) continue;
      const [first] = shown;
      // The client routes updates by session: a wrong id makes them invisible.
      const strayed = `the updates of the turn carry the session ${quoted(first?.sessionId)} instead of the one in the prompt`;
      const isOwn = shown.some(({ sessionId }) => sessionId === session.id);
      const fault = first === undefined ? 'the turn ended normally without any update' : strayed;
      context.see.check('R139', !isOwn && fault, request, entry, first);
    }
  }),
  'prompt-turn/overlap': inSession(async (session, context) => {
    const prompts = ['quince', 'medlar'].map((text) => context.steer('say', { text }));
    const turns = prompts.map((prompt) => session.begin(prompt));
    await seeEachAnswered(context, session, turns);
    const [first, second] = turns as [RunningTurn, RunningTurn];
    if (!first.words.includes('quince') || second.stopReason !== 'end_turn') return;
    const fault = 'a prompt that overlapped another one was answered with end_turn, but nothing was done';
    context.see.check('R415', !first.words.includes('medlar') && fault, first.request, second.request, second.entry);
  }),
  'prompt-turn/two-sessions': async (context) => {
    const one = await context.session();
    const other = await one.agent.session();
    const quince = one.begin(context.steer('say', { text: 'quince' }));
    const medlar = other.begin(context.steer('say', { text: 'medlar' }));
    await seeEachAnswered(context, one, [quince, medlar]);
    const [ofOne, ofOther] = [one, other].map(({ id }) =>
      framesOf(one.outputs.filter(({ sessionId }) => sessionId === id).map(({ entry }) => entry)),
    ) as [Frames, Frames];
    expectDone(/quince|medlar/.test(ofOne.words + ofOther.words), 'say a word');
    const isMixed = ofOne.words.includes('medlar') || ofOther.words.includes('quince');
    const fault = isMixed && 'a prompt in one session was answered in the other';
    context.see.check('R078', fault, quince.request, medlar.request, quince.outputs);
  },
  'plan/entries': async (context) => {
    const plans = (await (await context.session()).does('plan', steps)).updates('plan');
    const last = plans.at(-1);
    expectDone(last !== undefined, 'plan');
    context.see.held('R242');
    const announced = objectsIn(last.update['entries']).map(({ content }) => content);
    const wanted: readonly unknown[] = Object.values(steps);
    // If the agent reworded the plan, its entries cannot be identified.
    if (announced.some((entry) => !wanted.includes(entry)))
      return context.see.unseen('R243', 'the agent reworded the plan');
    const missing = wanted.filter((step) => !announced.includes(step)).map((step) => `“${String(step)}”`);
    context.see.check('R243', missing.length > 0 && `the plan lacks ${missing.join(' and ')}`, plans);
  },
  'notices/not-offered': offeredAndNot('session.notices', async (agent, context) => {
    // A missing server does not keep an agent from working, but deserves a notice.
    const gone = { name: 'gone', command: context.path('no-such-server'), args: [], env: [] };
    const session = await agent.session({ mcpServers: [gone] });
    await session.says('quince');
    return session.updates('notice');
  }),
  'compaction/not-offered': offeredAndNot('session.compaction', async (agent) => {
    const session = await agent.session();
    for (const text of ['quince', 'medlar']) await session.says(text);
    const commands = session.updates().flatMap(({ update }) => objectsIn(update['availableCommands']));
    const canCompact = commands.some((command) => command['name'] === 'compact');
    expectDone(canCompact, 'offer a command named "compact"');
    await session.prompt('/compact');
    return session.updates().filter(({ kind }) => String(kind).startsWith('compaction_'));
  }),
  'unstable/plans-not-offered': offeredAndNot('plan', async (agent) =>
    (await (await agent.session()).does('plan', steps)).updates('plan_update', 'plan_removed'),
  ),
};

/** Compares a client that offers to show some updates with one that does not. An audit rule judges whether the second one receives them. */
function offeredAndNot(
  capability: string,
  updates: (agent: ReadyAgent, context: AgentContext) => Promise<readonly Update[]>,
): AgentScript {
  return async (context) => {
    const seen = await updates(await context.ready(), context);
    expectDone(seen.length > 0, `send the updates that ${capability} permits`);
    await updates(await context.ready({ clientCapabilities: bareClient }), context);
  };
}

/** Words that a model does not say when it is asked for another word, but that report a failed request to it. */
const failures =
  /^\W*(?:(?:api|internal|model|provider|request|llm|fatal|unexpected) )*(?:error|exception|failure)\b|\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|rate limit(?:ed| exceeded)|quota exceeded|invalid api key|(?:http|status)(?: code)? [45]\d\d)\b/i;

function failureIn(words: string): string | undefined {
  return failures.test(words.trim()) ? words.trim().split('\n', 1)[0]?.slice(0, 200) : undefined;
}

/** Judges that each turn has exactly one answer. Turns that do not end by themselves are cancelled first. */
async function seeEachAnswered(
  { see, cancels, turnTimeout }: AgentContext,
  { wire }: Session,
  turns: readonly RunningTurn[],
): Promise<void> {
  await Promise.all(
    turns.map(async (turn) => {
      if ((await turn.endWithin(turnTimeout)) !== undefined) return;
      turn.cancel();
      await cancels.wait((within) => turn.endWithin(within));
    }),
  );
  await wire.quiet(calm);
  for (const { request } of turns) {
    const id = at(request.message, 'id');
    const answers = wire.received().filter(({ message }) => isAnswerTo(id, message));
    const times = answers.length;
    see.check('R166', times !== 1 && `one of two simultaneous prompts was answered ${times} times`, request, answers);
  }
}
