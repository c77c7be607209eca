import type { RequirementId } from '../../../requirements/requirement.ts';
import type { RawMessage } from '../../../wire/journal.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { asMessage, type Reply } from '../../../wire/messages.ts';
import type { ClientScenario } from '../../client-scenario.ts';
import type { ClientStage, PlayedTurn } from '../../client-stage.ts';
import type { ClientAction } from '../../drive/client-driver.ts';
import { continuesNormally, wordsAfter, wordsBefore } from '../endings.ts';

/** The ids say nothing of what an option means. */
const never = { optionId: 'ü/1', name: 'Never', kind: 'reject_always' };
const always = { optionId: '{"a":2}', name: 'Always', kind: 'allow_always' };
const no = { optionId: '', name: 'No', kind: 'reject_once' };
const yes = { optionId: ' 4 ', name: 'Yes', kind: 'allow_once' };

type Option = typeof yes;

const method = 'session/request_permission';

/** Permission that an agent asks for; what becomes of it at a cancel is among the cancels. */
export const permissionScenarios: readonly ClientScenario[] = [
  {
    id: 'permission/allowed',
    title: 'what is allowed is answered with an option that allows it',
    covers: ['R197', 'R203'],
    run: async (stage) => {
      await decided(stage, 'allow', async (ask) => {
        const both = await ask([never, always, no, yes]);
        judge(stage, both, { options: [never, always, no, yes], wanted: 'allow', requirement: 'R197' });
        judgeLasting(stage, await ask([never, always]), {
          options: [never, always],
          wanted: 'allow',
          requirement: 'R203',
        });
      });
    },
  },
  {
    id: 'permission/refused',
    title: 'what is refused is answered with an option that refuses it, or with none',
    covers: ['R197', 'R204'],
    run: async (stage) => {
      await decided(stage, 'deny', async (ask) => {
        const both = await ask([yes, always, no, never]);
        judge(stage, both, { options: [yes, always, no, never], wanted: 'reject', requirement: 'R197' });
        neverAllowed(stage, await ask([yes, always]));
        judgeLasting(stage, await ask([always, never]), {
          options: [always, never],
          wanted: 'reject',
          requirement: 'R204',
        });
      });
    },
  },
  {
    id: 'permission/known-call',
    title: 'permission for a tool call that is known need not describe it again',
    covers: ['R197', 'R205'],
    run: async (stage) => {
      const script = async ({ agent, sessionId }: PlayedTurn): Promise<void> => {
        agent.say(sessionId, wordsBefore);
        agent.update(sessionId, {
          sessionUpdate: 'tool_call',
          toolCallId: 'known',
          title: 'Look around',
          kind: 'read',
        });
        await anOutcome(stage, { agent, sessionId });
        for (const more of [{}, { title: 'Look closely', kind: 'read', status: 'in_progress' }, { title: null }]) {
          const toolCall = { toolCallId: 'known', ...more };
          const reply = await agent.ask(method, { sessionId, toolCall, options: [yes, no] });
          const fault =
            outcomeOf(reply) === undefined &&
            `a request for the known call with ${JSON.stringify(more)} was answered without an outcome`;
          stage.see.check('R205', fault, reply);
        }
        agent.say(sessionId, wordsAfter);
      };
      const done = await stage.turn(script, { action: stage.can('allow') ? 'allow' : 'prompt' });
      continuesNormally(stage, done, 'R205');
    },
  },
  {
    id: 'permission/odd-meta',
    title: 'nothing is taken for granted about what is in _meta of a request',
    covers: ['R197', 'R281'],
    run: async (stage) => {
      await stage.turn(
        async ({ agent, sessionId }) => {
          await anOutcome(stage, { agent, sessionId });
          for (const _meta of [{ terminal_info: 7, '': [null] }, { traceparent: {} }, {}, null]) {
            const toolCall = { toolCallId: 'meta', title: 'Look', _meta };
            const options = [yes, no].map((option) => ({ ...option, _meta }));
            const reply = await agent.ask(method, { sessionId, toolCall, options, _meta });
            const fault =
              outcomeOf(reply) === undefined &&
              `with _meta ${JSON.stringify(_meta)} it was answered without an outcome`;
            stage.see.check('R281', fault, reply);
          }
        },
        { action: stage.can('allow') ? 'allow' : 'prompt' },
      );
    },
  },
];

/** Stops the scenario if not even a plain request gets an outcome. Every client has to know the method. */
async function anOutcome(
  { see }: ClientStage,
  { agent, sessionId }: Pick<PlayedTurn, 'agent' | 'sessionId'>,
): Promise<void> {
  const toolCall = { toolCallId: 'plain', title: 'Write a file', kind: 'edit', status: 'pending' };
  const { entry, error, result } = await agent.ask(method, {
    sessionId,
    toolCall,
    options: [yes, no],
  });
  const isKnown = see.check(
    'R197',
    error?.code === -32_601 && 'the client does not know session/request_permission, which every client has',
    entry,
  );
  if (!isKnown || asMessage(asMessage(result)?.['outcome']) === undefined)
    throw new Stopped(`a plain request for permission was answered with ${JSON.stringify(error?.code ?? result)}`);
}

type Ask = (options: readonly Option[]) => Promise<Reply>;

/** A turn of a client with a configured decision. */
async function decided(stage: ClientStage, action: ClientAction, script: (ask: Ask) => Promise<void>): Promise<void> {
  let asked = 0;
  await stage.turn(
    async ({ agent, sessionId }) =>
      script((options) => {
        const toolCallId = `call-${String(++asked)}`;
        const toolCall = { toolCallId, title: 'Write a file', kind: 'edit', status: 'pending' };
        agent.update(sessionId, { sessionUpdate: 'tool_call', ...toolCall });
        const params = { sessionId, toolCall, options };
        return stage.isTyped(action) ? agent.ask(method, params) : agent.askOwed(method, params);
      }),
    { action },
  );
}

interface Wanted {
  readonly options: readonly Option[];
  readonly wanted: 'allow' | 'reject';
  readonly requirement: RequirementId;
}

/** That there is an outcome, and that it is what was wanted. To choose nothing is a refusal, too. */
function judge(stage: ClientStage, reply: Reply, { options, wanted, requirement }: Wanted): boolean {
  const outcome = outcomeOf(reply);
  const kind = options.find(({ optionId }) => optionId === outcome?.['optionId'])?.kind;
  const isRefusal = wanted === 'reject' && outcome?.['outcome'] === 'cancelled';
  return stage.see.check(
    requirement,
    !isRefusal &&
      kind?.startsWith(wanted) !== true &&
      `the user’s choice is to ${wanted} it, and the answer is ${JSON.stringify(outcome ?? reply.error ?? null)}`,
    reply,
  );
}

/** Where nothing can be chosen that refuses, nothing is allowed either: an error is an answer, too. */
function neverAllowed({ see }: ClientStage, reply: Reply): void {
  const fault =
    outcomeOf(reply)?.['outcome'] === 'selected' &&
    'the user’s choice is to reject it, and it was allowed, for there was no other option';
  see.check('R197', fault, reply);
}

/** What lasts need not be chosen; what means the contrary must not be. */
function judgeLasting(stage: ClientStage, reply: Reply, wanted: Wanted): void {
  if (outcomeOf(reply)?.['outcome'] === 'cancelled')
    return stage.see.unseen(wanted.requirement, 'the client makes no choice that lasts');
  judge(stage, reply, wanted);
}

function outcomeOf({ result }: Reply): RawMessage | undefined {
  return asMessage(asMessage(result)?.['outcome']);
}
