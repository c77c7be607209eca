import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import type { JournalEntry } from '../../../wire/journal.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import type { AgentStage } from '../../agent-stage.ts';
import type { RunningTurn } from '../../running-turn.ts';
import { isAnswerTo, asMessage } from '../../../wire/messages.ts';
import type { Wire } from '../../../wire/wire.ts';
import { entriesOf, outputsIn, wordsIn } from '../../pieces/frames.ts';
import { beginSession, calm, expectDone, longCalm } from '../../pieces/preconditions.ts';

/** How prompts are answered. */
export const promptTurnScenarios: readonly AgentScenario[] = [
  {
    id: 'prompt-turn/answer',
    title: 'what the agent says comes as updates, all of them before the answer, and the next prompt is answered too',
    covers: ['R139', 'R145', 'R162'],
    run: answerPrompts,
  },
  {
    id: 'prompt-turn/overlap',
    title: 'of two prompts that overlap in a session each is answered once, whatever the answer',
    covers: ['R166'],
    run: overlapPrompts,
  },
  {
    id: 'prompt-turn/two-sessions',
    title: 'turns of two sessions at the same time stay separate: each is reported in its own session',
    covers: ['R078', 'R166'],
    run: promptTwoSessions,
  },
];

async function answerPrompts(stage: AgentStage): Promise<void> {
  const { wire, sessionId } = await beginSession(stage);
  const uri = pathToFileURL(join(stage.folder, 'orchard.txt')).href;
  const words = { type: 'text', text: stage.steer('say', { text: 'quince' }) };
  const prompts = [[words], [words, { type: 'resource_link', uri, name: 'orchard.txt' }]];
  for (const prompt of prompts) {
    const { entries, reply, stopReason } = await stage.prompt(wire, sessionId, prompt);
    const [request] = entries;
    const evidence = [...(request === undefined ? [] : [request]), reply.entry];
    stage.see.check('R145', typeof stopReason === 'string', { otherwise: 'the answer has no stopReason', evidence });
    await wire.quiet(longCalm);
    const late = outputsIn(wire.journal.slice(wire.journal.indexOf(reply.entry)));
    stage.see.check('R162', late.length === 0, {
      otherwise: 'updates of a turn came after its answer',
      evidence: [reply.entry, ...entriesOf(late)],
    });
    if (stopReason !== 'end_turn') stage.see.unseen('R139', `the turn ended with ${JSON.stringify(stopReason)}`);
    else if (late.length === 0) seeOutput(stage, entries, { sessionId, evidence });
  }
}

/** Updates of another session do not reach listeners of this one. */
function seeOutput(
  { see }: AgentStage,
  entries: readonly JournalEntry[],
  { sessionId, evidence }: { readonly sessionId: string; readonly evidence: readonly JournalEntry[] },
): void {
  const shown = outputsIn(entries);
  const isStrayed = shown.length > 0;
  see.check(
    'R139',
    shown.some((update) => update.sessionId === sessionId),
    {
      otherwise: isStrayed
        ? `the updates of the turn have the session ${JSON.stringify(shown[0]?.sessionId)}, not that of its prompt`
        : 'the turn ended as usual without any update',
      evidence: [...evidence, ...entriesOf(shown.slice(0, 1))],
    },
  );
}

async function overlapPrompts(stage: AgentStage): Promise<void> {
  const { wire, sessionId } = await beginSession(stage);
  const turns = ['quince', 'medlar'].map((text) => stage.begin(wire, sessionId, stage.steer('say', { text })));
  await seeEachAnswered(stage, wire, turns);
}

async function promptTwoSessions(stage: AgentStage): Promise<void> {
  const { wire, sessionId: one } = await beginSession(stage);
  const { id: other } = await stage.newSession(wire);
  const quince = stage.begin(wire, one, stage.steer('say', { text: 'quince' }));
  const medlar = stage.begin(wire, other, stage.steer('say', { text: 'medlar' }));
  await seeEachAnswered(stage, wire, [quince, medlar]);
  const wordsOf = (sessionId: string): string =>
    wordsIn(entriesOf(outputsIn(wire.journal).filter((update) => update.sessionId === sessionId)));
  const said = { one: wordsOf(one), other: wordsOf(other) };
  expectDone(/quince|medlar/.test(said.one + said.other), 'say a word');
  const isMixed = said.one.includes('medlar') || said.other.includes('quince');
  stage.see.check('R078', !isMixed, {
    otherwise: 'what was asked in one session was answered in the other',
    evidence: [quince.request, medlar.request, ...entriesOf(outputsIn(quince.entries))],
  });
}

/** Whether each of some turns has exactly one answer. Those that do not end by themselves are cancelled: that ends every turn. */
async function seeEachAnswered(
  { see, settings, turnPatience }: AgentStage,
  wire: Wire,
  turns: readonly RunningTurn[],
): Promise<void> {
  for (const turn of turns) {
    if ((await turn.endWithin(turnPatience)) !== undefined) continue;
    turn.cancel();
    await turn.endWithin(settings.patience.answer);
  }
  await wire.quiet(calm);
  for (const { request } of turns) {
    const id = asMessage(request.message)?.['id'];
    const answers = wire.received().filter(({ message }) => isAnswerTo(id, message));
    see.check('R166', answers.length === 1, {
      otherwise: `a prompt beside another was answered ${answers.length} times`,
      evidence: [request, ...entriesOf(answers)],
    });
  }
}
