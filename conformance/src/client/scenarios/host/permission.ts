import type { RequirementId } from '../../../requirements/requirement.ts';
import { asMessage, at, quoted, type RawMessage, type Reply } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { ClientScripts, ClientContext } from '../../client-context.ts';
import type { ClientAction } from '../../drive/client-driver.ts';
import type { SimulatedTurn } from '../../simulated-turn.ts';
import { continuesNormally, textAfter, textBefore } from '../endings.ts';

/** The ids do not reveal the meaning of an option. */
const never = { optionId: 'ü/1', name: 'Never', kind: 'reject_always' };
const always = { optionId: '{"a":2}', name: 'Always', kind: 'allow_always' };
const no = { optionId: '', name: 'No', kind: 'reject_once' };
const yes = { optionId: ' 4 ', name: 'Yes', kind: 'allow_once' };

type Option = typeof yes;

/** How long a client may take to cancel the turn after it has refused a request, in milliseconds. */
const calm = 300;

const method = 'session/request_permission';

/** Permission requests. Cancelled ones are in `cancel.ts`. */
export const permissionScenarios: ClientScripts = {
  'permission/allowed': (context) =>
    decided(context, 'allow', async (ask) => {
      judge(context, await ask([never, always, no, yes]), ['R197', 'allow']);
      judgeLasting(context, await ask([never, always]), ['R203', 'allow']);
    }),
  'permission/refused': (context) =>
    decided(context, 'deny', async (ask) => {
      const decision = await ask([yes, always, no, never]);
      judge(context, decision, ['R197', 'reject']);
      await judgeSelected(context, decision);
      // If no option refuses, the client must still not allow anything: it may answer with an error.
      const reply = await ask([yes, always]);
      const isAllowed = outcomeOf(reply)?.['outcome'] === 'selected';
      const fault = 'the user rejects everything, but the client allowed a request that had only allowing options';
      context.see.check('R197', isAllowed && fault, reply);
      judgeLasting(context, await ask([always, never]), ['R204', 'reject']);
    }),
  'permission/known-call': async (context) => {
    const script = async (turn: SimulatedTurn): Promise<void> => {
      turn.say(textBefore);
      turn.toolCall({ toolCallId: 'known', title: 'Look around', kind: 'read' });
      await expectOutcome(context, turn);
      for (const more of [{}, { title: 'Look closely', kind: 'read', status: 'in_progress' }, { title: null }]) {
        const reply = await turn.ask(method, turn.permission({ toolCallId: 'known', ...more }, [yes, no]));
        const fault = `a permission request for a known tool call with ${quoted(more)} was answered without an outcome`;
        context.see.check('R205', outcomeOf(reply) === undefined && fault, reply);
      }
      turn.say(textAfter);
    };
    const done = await context.turn(script, { action: context.can('allow') ? 'allow' : 'prompt' });
    continuesNormally(context, done, 'R205');
  },
  'permission/odd-meta': async (context) => {
    const script = async (turn: SimulatedTurn): Promise<void> => {
      await expectOutcome(context, turn);
      for (const _meta of [{ terminal_info: 7, '': [null] }, { traceparent: {} }, {}, null]) {
        const toolCall = { toolCallId: 'meta', title: 'Look', _meta };
        const options = [yes, no].map((option) => ({ ...option, _meta }));
        const reply = await turn.ask(method, { ...turn.permission(toolCall, options), _meta });
        const fault = `a permission request with _meta ${quoted(_meta)} was answered without an outcome`;
        context.see.check('R281', outcomeOf(reply) === undefined && fault, reply);
      }
    };
    await context.turn(script, { action: context.can('allow') ? 'allow' : 'prompt' });
  },
};

/** Stops the scenario unless a plain request is answered with an outcome. Every client must implement the method. */
async function expectOutcome({ see }: ClientContext, turn: SimulatedTurn): Promise<void> {
  const toolCall = { toolCallId: 'plain', title: 'Write a file', kind: 'edit', status: 'pending' };
  const reply = await turn.ask(method, turn.permission(toolCall, [yes, no]));
  const { error, result } = reply;
  const fault = 'the client does not implement session/request_permission, which is required';
  const isKnown = see.check('R197', error?.code === -32_601 && fault, reply);
  if (!isKnown || outcomeOf(reply) === undefined)
    throw new Stopped(`a plain permission request was answered with ${quoted(error?.code ?? result)}`);
}

interface Decision extends Reply {
  readonly options: readonly Option[];
}

type Ask = (options: readonly Option[]) => Promise<Decision>;

/** Runs a turn of a client that decides all permission requests the same way. */
async function decided(
  context: ClientContext,
  action: ClientAction,
  script: (ask: Ask) => Promise<void>,
): Promise<void> {
  let asked = 0;
  await context.turn(
    async (turn) =>
      script(async (options) => {
        const toolCallId = `call-${String(++asked)}`;
        const toolCall = { toolCallId, title: 'Write a file', kind: 'edit', status: 'pending' };
        turn.toolCall(toolCall);
        const { agent } = turn;
        const params = turn.permission(toolCall, options);
        const reply = await (context.isTyped(action) ? agent.ask(method, params) : agent.askOwed(method, params));
        return { ...reply, options };
      }),
    { action },
  );
}

type Wanted = readonly [requirement: RequirementId, wanted: 'allow' | 'reject'];

/** Judges that the answer is the wanted decision. To select nothing also refuses. */
function judge({ see }: ClientContext, decision: Decision, [requirement, wanted]: Wanted): void {
  const outcome = outcomeOf(decision);
  const kind = decision.options.find(({ optionId }) => optionId === outcome?.['optionId'])?.kind;
  const isRefusal = wanted === 'reject' && outcome?.['outcome'] === 'cancelled';
  const isWanted = isRefusal || kind?.startsWith(wanted) === true;
  const answer = quoted(outcome ?? decision.error ?? null);
  const fault = `the user’s choice is to ${wanted} the request, but the client answered ${answer}`;
  see.check(requirement, !isWanted && fault, decision);
}

/** A user who refuses chooses an option that rejects: only a cancelled turn leaves a request without a choice. */
async function judgeSelected({ see, agents }: ClientContext, decision: Decision): Promise<void> {
  // A client may answer first and cancel the turn next.
  if (outcomeOf(decision)?.['outcome'] === 'cancelled') await Promise.all(agents.map((agent) => agent.quiet(calm)));
  const isCancelled = agents.some((agent) => agent.calls('session/cancel').length > 0);
  if (isCancelled) return see.unseen('R416', 'the client cancels the turn when the user rejects a request');
  const isUnchosen = outcomeOf(decision)?.['outcome'] === 'cancelled';
  const fault = 'the user’s choice is to reject the request, but the client answered cancelled instead of an option';
  see.check('R416', isUnchosen && fault, decision);
}

/** The client need not select a permanent option, but it must not select the opposite one. */
function judgeLasting(context: ClientContext, decision: Decision, wanted: Wanted): void {
  if (outcomeOf(decision)?.['outcome'] !== 'cancelled') return judge(context, decision, wanted);
  context.see.unseen(wanted[0], 'the client does not select permanent options');
}

function outcomeOf({ result }: Reply): RawMessage | undefined {
  return asMessage(at(result, 'outcome'));
}
