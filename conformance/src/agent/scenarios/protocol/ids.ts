import type { JournalEntry } from '../../../wire/journal.ts';
import { isAnswerTo } from '../../../wire/messages.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { readyToAnswer, unknownRequest } from '../../pieces/unknown-method.ts';

/** Ids that are easily taken for each other, or for none. */
const ids = [1001, '1001', -1, '', 'null', 9_007_199_254_740_991, '{"id":1}'] as const;

/** How long a second answer may take, in milliseconds. */
const afterwards = 200;

/** Which answer belongs to which request. */
export const idScenarios: readonly AgentScenario[] = [
  {
    id: 'ids/kinds',
    title: 'numbers and texts come back as the ids they are, each once',
    covers: ['R019'],
    run: async (stage) => {
      const wire = await readyToAnswer(stage);
      const from = wire.journal.length;
      const sent = ids.map((id) => wire.sendText(unknownRequest(id)));
      for (const [nth, id] of ids.entries()) await wire.answer(id, { from, request: sent[nth] as JournalEntry });
      await wire.quiet(afterwards);
      seeOneAnswerEach(stage, wire, from);
    },
  },
  {
    id: 'ids/null',
    title: 'a request with the id null is a request, and is answered',
    covers: ['R019'],
    run: async (stage) => {
      const wire = await readyToAnswer(stage);
      const from = wire.journal.length;
      const request = wire.sendText(unknownRequest(null));
      await wire.answer(null, { from, request });
      stage.see.held('R019');
    },
  },
];

function seeOneAnswerEach(stage: AgentStage, wire: Wire, from: number): void {
  for (const id of ids) {
    const answers = wire.received(from).filter(({ message }) => isAnswerTo(id, message));
    stage.see.check('R019', answers.length === 1, {
      otherwise: `the request ${JSON.stringify(id)} has ${answers.length} answers`,
      evidence: answers.map(({ entry }) => entry),
    });
  }
}
