import { asMessage } from '../../../wire/messages.ts';
import type { RawMessage } from '../../../wire/journal.ts';
import type { RequirementId } from '../../../requirements/requirement.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { endedAfter, readyToAnswer, unknownMethod } from '../../pieces/unknown-method.ts';

/** How long an answer that must not be may take, in milliseconds. */
const afterwards = 200;

/** What is not answered. */
export const notificationScenarios: readonly AgentScenario[] = [
  {
    id: 'notifications/no-answer',
    title: 'a notification is not answered, whatever is wrong with it',
    covers: ['R018'],
    run: async (stage) => {
      const wire = await readyToAnswer(stage);
      await seeSilence(stage, { wire, requirement: 'R018' }, [
        { method: 'session/cancel', params: { sessionId: 'turnwire-no-such-session' } },
        { method: 'session/cancel', params: {} },
        { method: 'session/cancel', params: { sessionId: 5 } },
        { method: 'turnwire/no_such_method', params: {} },
      ]);
    },
  },
  {
    id: 'notifications/unknown-extension',
    title: 'a notification of an unknown extension is ignored',
    covers: ['R285'],
    run: async (stage) => {
      const wire = await readyToAnswer(stage);
      await seeSilence(stage, { wire, requirement: 'R285' }, [
        { method: unknownMethod, params: {} },
        { method: unknownMethod, params: { _meta: { any: ['thing', 1, null] } } },
        { method: unknownMethod },
      ]);
    },
  },
];

interface Silence {
  readonly wire: Wire;
  readonly requirement: RequirementId;
}

/** Sends notifications, and sees whether they change anything: there must be no answer but the one to the request that follows them. */
async function seeSilence(
  stage: AgentStage,
  { wire, requirement }: Silence,
  notifications: readonly RawMessage[],
): Promise<void> {
  const from = wire.journal.length;
  for (const notification of notifications) wire.send({ jsonrpc: '2.0', ...notification });
  const { entry } = await wire.ask(unknownMethod);
  await wire.quiet(afterwards);
  const answers = wire.received(from).filter((each) => each.entry !== entry && isAnswer(each.message));
  if (wire.hasEnded) throw endedAfter(wire, from);
  stage.see.check(requirement, answers.length === 0, {
    otherwise: 'a notification was answered',
    evidence: [...wire.journal.slice(from, from + notifications.length), ...answers.map((each) => each.entry)],
  });
}

function isAnswer(message: RawMessage): boolean {
  return message['method'] === undefined && ('result' in message || asMessage(message['error']) !== undefined);
}
