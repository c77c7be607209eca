import type { RequirementId } from '../../../requirements/requirement.ts';
import { asMessage, at, quoted, type RawMessage, type Reply } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { ClientScripts, ClientStage } from '../../client-stage.ts';
import type { ClientAction } from '../../drive/client-driver.ts';
import type { PlayedTurn } from '../../played-turn.ts';
import { continuesNormally, wordsAfter, wordsBefore } from '../endings.ts';

/** The ids say nothing of what an option means. */
const never = { optionId: 'ü/1', name: 'Never', kind: 'reject_always' };
const always = { optionId: '{"a":2}', name: 'Always', kind: 'allow_always' };
const no = { optionId: '', name: 'No', kind: 'reject_once' };
const yes = { optionId: ' 4 ', name: 'Yes', kind: 'allow_once' };

type Option = typeof yes;

const method = 'session/request_permission';

/** Permission that an agent asks for; what becomes of it at a cancel is among the cancels. */
export const permissionScenarios: ClientScripts = {
  'permission/allowed': (stage) =>
    decided(stage, 'allow', async (ask) => {
      judge(stage, await ask([never, always, no, yes]), ['R197', 'allow']);
      judgeLasting(stage, await ask([never, always]), ['R203', 'allow']);
    }),
  'permission/refused': (stage) =>
    decided(stage, 'deny', async (ask) => {
      judge(stage, await ask([yes, always, no, never]), ['R197', 'reject']);
      // Where nothing can be chosen that refuses, nothing is allowed either: an error is an answer, too.
      const reply = await ask([yes, always]);
      const isAllowed = outcomeOf(reply)?.['outcome'] === 'selected';
      const fault = 'the user’s choice is to reject it, and it was allowed, for there was no other option';
      stage.see.check('R197', isAllowed && fault, reply);
      judgeLasting(stage, await ask([always, never]), ['R204', 'reject']);
    }),
  'permission/known-call': async (stage) => {
    const script = async (turn: PlayedTurn): Promise<void> => {
      turn.say(wordsBefore);
      turn.update({ sessionUpdate: 'tool_call', toolCallId: 'known', title: 'Look around', kind: 'read' });
      await anOutcome(stage, turn);
      for (const more of [{}, { title: 'Look closely', kind: 'read', status: 'in_progress' }, { title: null }]) {
        const reply = await turn.ask(method, { toolCall: { toolCallId: 'known', ...more }, options: [yes, no] });
        const fault = `a request for the known call with ${quoted(more)} was answered without an outcome`;
        stage.see.check('R205', outcomeOf(reply) === undefined && fault, reply);
      }
      turn.say(wordsAfter);
    };
    const done = await stage.turn(script, { action: stage.can('allow') ? 'allow' : 'prompt' });
    continuesNormally(stage, done, 'R205');
  },
  'permission/odd-meta': async (stage) => {
    const script = async (turn: PlayedTurn): Promise<void> => {
      await anOutcome(stage, turn);
      for (const _meta of [{ terminal_info: 7, '': [null] }, { traceparent: {} }, {}, null]) {
        const toolCall = { toolCallId: 'meta', title: 'Look', _meta };
        const options = [yes, no].map((option) => ({ ...option, _meta }));
        const reply = await turn.ask(method, { toolCall, options, _meta });
        const fault = `with _meta ${quoted(_meta)} it was answered without an outcome`;
        stage.see.check('R281', outcomeOf(reply) === undefined && fault, reply);
      }
    };
    await stage.turn(script, { action: stage.can('allow') ? 'allow' : 'prompt' });
  },
};

/** Stops the scenario if not even a plain request gets an outcome. Every client has to know the method. */
async function anOutcome({ see }: ClientStage, turn: PlayedTurn): Promise<void> {
  const toolCall = { toolCallId: 'plain', title: 'Write a file', kind: 'edit', status: 'pending' };
  const reply = await turn.ask(method, { toolCall, options: [yes, no] });
  const { error, result } = reply;
  const fault = 'the client does not know session/request_permission, which every client has';
  const isKnown = see.check('R197', error?.code === -32_601 && fault, reply);
  if (!isKnown || outcomeOf(reply) === undefined)
    throw new Stopped(`a plain request for permission was answered with ${quoted(error?.code ?? result)}`);
}

interface Decision extends Reply {
  readonly options: readonly Option[];
}

type Ask = (options: readonly Option[]) => Promise<Decision>;

/** A turn of a client with a configured decision. */
async function decided(stage: ClientStage, action: ClientAction, script: (ask: Ask) => Promise<void>): Promise<void> {
  let asked = 0;
  await stage.turn(
    async ({ agent, sessionId }) =>
      script(async (options) => {
        const toolCallId = `call-${String(++asked)}`;
        const toolCall = { toolCallId, title: 'Write a file', kind: 'edit', status: 'pending' };
        agent.update(sessionId, { sessionUpdate: 'tool_call', ...toolCall });
        const params = { sessionId, toolCall, options };
        const reply = await (stage.isTyped(action) ? agent.ask(method, params) : agent.askOwed(method, params));
        return { ...reply, options };
      }),
    { action },
  );
}

type Wanted = readonly [requirement: RequirementId, wanted: 'allow' | 'reject'];

/** That there is an outcome, and that it is what was wanted. To choose nothing is a refusal, too. */
function judge({ see }: ClientStage, decision: Decision, [requirement, wanted]: Wanted): void {
  const outcome = outcomeOf(decision);
  const kind = decision.options.find(({ optionId }) => optionId === outcome?.['optionId'])?.kind;
  const isRefusal = wanted === 'reject' && outcome?.['outcome'] === 'cancelled';
  const isWanted = isRefusal || kind?.startsWith(wanted) === true;
  const answer = quoted(outcome ?? decision.error ?? null);
  const fault = `the user’s choice is to ${wanted} it, and the answer is ${answer}`;
  see.check(requirement, !isWanted && fault, decision);
}

/** What lasts need not be chosen; what means the contrary must not be. */
function judgeLasting(stage: ClientStage, decision: Decision, wanted: Wanted): void {
  if (outcomeOf(decision)?.['outcome'] !== 'cancelled') return judge(stage, decision, wanted);
  stage.see.unseen(wanted[0], 'the client makes no choice that lasts');
}

function outcomeOf({ result }: Reply): RawMessage | undefined {
  return asMessage(at(result, 'outcome'));
}
