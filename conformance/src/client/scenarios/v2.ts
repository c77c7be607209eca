import type { RequirementId } from '../../requirements/requirement.ts';
import { asMessage, at, isAnswerTo, type JournalEntry, quoted, type RawMessage } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import { WireError } from '../../wire/wire.ts';
import { type ClientContext, type ClientScript, type ClientScripts, didNot, inTurn } from '../client-context.ts';
import type { SimulatedTurn } from '../simulated-turn.ts';
import { askPermission, cancelled, codeOf, outcomeOf, untilCancelled } from './cancel.ts';
import { continuesNormally, reports, survived, textAfter, textBefore } from './endings.ts';
import { judgeMethods } from './framing.ts';

/** Milliseconds in which a client would make a call that it must not make. */
const soon = 300;

const yes = { optionId: 'ü/1', name: 'Yes', kind: 'allow_once' };
const no = { optionId: '', name: 'No', kind: 'reject_once' };

/** Scenarios of version 2, as far as it takes more than a sequence. */
export const v2Scenarios: ClientScripts = {
  'agreement/older-agent': async (context) => {
    context.agentVersion = 1;
    const done = await context.perform('prompt');
    const agent = context.agents.find((each) => each.calls('session/new').length > 0);
    if (agent === undefined) return reports(context, done, 'V021');
    continuesNormally(context, done, 'V021');
    judgeMethods(context, agent);
    const [call] = agent.calls('initialize');
    const isIntroduced = asMessage(call?.params['clientInfo']) && asMessage(call?.params['clientCapabilities']);
    const fault = 'the client continued in version 1 without clientInfo and clientCapabilities';
    context.see.check('V023', !isIntroduced && fault, call);
  },
  'agreement/refused-version': async (context) => {
    context.agentVersion = 1;
    const { agent: first } = await context.perform('prompt');
    if (first.calls('session/new').length === 0) throw new Stopped('the client has only version 2');
    const from = context.agents.length;
    context.play((agent) =>
      agent.handle('initialize', ({ protocolVersion: requested }) => {
        if (requested === 1) return agent.introduction();
        throw new WireError(-32_022, 'this agent speaks version 1', { requested, supported: [1] });
      }),
    );
    await context.perform('prompt');
    const asked = context.agents[from]?.calls('initialize') ?? [];
    const isRight = asked[1]?.params['protocolVersion'] === 1;
    const fault = 'the client did not ask again on the same connection for version 1, which the agent named';
    context.see.check('V022', !isRight && fault, asked);
  },
  'prompts/stop-reasons': async (context) => {
    for (const stopReason of ['max_tokens', 'max_turn_requests', 'refusal', 'cancelled', '_own', undefined, null, 7])
      survived(
        context,
        await context.turn((turn) => {
          turn.say(textAfter);
          return { stopReason };
        }),
        'V139',
      );
    context.see.held('V139');
  },
  'prompts/keys': async (context) => {
    const { agent, end } = await context.perform('prompt twice', { next: 'Say more.' });
    const prompts = agent.calls('session/prompt');
    if (prompts.length < 2) throw didNot('did not send two prompts', end);
    const [first, second] = prompts.map(({ params }) => params['idempotencyKey']);
    if (first === undefined || second === undefined) throw new Stopped('the client sends no idempotency keys');
    context.see.check('V140', first === second && `two prompts have the key ${quoted(first)}`, prompts);
  },
  'patches/terminal-bytes': async (context) => {
    const data = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
    const [plain, divided] = ['Plain output.', 'Divided 🌍 output.'];
    const bytes = Buffer.from(divided);
    const done = await context.turn(async (turn) => {
      const terminal = { terminalId: 'shell' };
      turn.toolCall({ toolCallId: 'run', title: 'Run', kind: 'execute', content: [{ type: 'terminal', ...terminal }] });
      turn.update({ sessionUpdate: 'terminal_update', ...terminal, command: 'make', cwd: '/' });
      // The first piece ends with padding, the second one in the middle of a character.
      for (const piece of [Buffer.from(`${plain}\n`), bytes.subarray(0, 10), bytes.subarray(10)]) {
        turn.update({ sessionUpdate: 'terminal_output_chunk', ...terminal, data: data(piece) });
        await turn.agent.quiet(20);
      }
      turn.update({ sessionUpdate: 'terminal_update', ...terminal, exitStatus: { exitCode: 0 } });
      turn.say(textAfter);
    });
    if (!continuesNormally(context, done, 'V144')) return;
    const { stdout } = done.end;
    const isLost = stdout.includes(plain) && !stdout.includes(divided);
    if (isLost)
      context.see.broken('V144', 'a character that was divided between two chunks was not shown', done.agent.journal);
  },
  'envelope/batch': inTurn({}, async ({ agent, sessionId }, { see }) => {
    const request = { jsonrpc: '2.0', id: 'in a batch', method: '_turnwire.check/unknown' };
    const from = agent.journal.length;
    agent.sendText(JSON.stringify([request, { ...request, id: 'another' }]));
    await agent.next((message) => message['method'] === undefined, { from });
    await agent.quiet(soon);
    const answers = agent.journal.slice(from).filter(({ from: side }) => side === 'client');
    const [first] = answers;
    const isRight = answers.length === 1 && codeOf(first) === -32_600 && at(first?.message, 'id') === null;
    see.check(
      'V001',
      !isRight && `a batch was answered with ${String(answers.length)} messages instead of one -32600`,
      answers,
    );
    agent.say(sessionId, textAfter);
  }),
  'envelope/odd-ids': inTurn({}, async ({ agent }, { see }) => {
    for (const id of [null, 1.5]) {
      const from = agent.journal.length;
      agent.send({ jsonrpc: '2.0', id, method: '_turnwire.check/unknown' });
      const answer = await agent.next((message) => message['method'] === undefined, { from });
      const isRight = codeOf(answer) === -32_600 && at(answer?.message, 'id') === null;
      see.check(
        'V002',
        !isRight && `a request with the id ${quoted(id)} was not answered with -32600 and the id null`,
        answer,
      );
    }
    await agent.askOwed('_turnwire.check/unknown', {});
  }),
  'envelope/same-id': inTurn({ begins: true }, async (turn, { see }) => {
    const { agent, id } = turn;
    // The client waits for the answer to its prompt, which has the same id.
    const from = agent.journal.length;
    const request = agent.send({ jsonrpc: '2.0', id, method: '_turnwire.check/unknown' });
    const answer = await agent.next((message) => isAnswerTo(id, message), { from });
    const fault = answer === undefined && `a request with the id ${quoted(id)} of an open prompt was not answered`;
    see.check(['V003', 'V004'], fault, request);
    turn.begin();
  }),
  'envelope/null-params': async (context) => {
    const done = await context.turn(async ({ agent, sessionId }) => {
      agent.say(sessionId, textBefore);
      agent.notify('_turnwire.check/news', null);
      const { error, entry } = await agent.ask('_turnwire.check/unknown', null);
      const fault = error?.code !== -32_601 && 'an unknown request whose params are null was not answered with -32601';
      context.see.check(['V005', 'V006'], fault, entry);
      agent.say(sessionId, textAfter);
    });
    continuesNormally(context, done, 'V005');
  },
  'envelope/no-host': inTurn({}, async (turn, { see, folder }) => {
    const requests = [
      ['fs/read_text_file', { path: `${folder}/a.txt` }],
      ['fs/write_text_file', { path: `${folder}/a.txt`, content: 'here' }],
      ['terminal/create', { command: process.execPath, args: ['--version'] }],
    ] as const;
    for (const [method, params] of requests) {
      const reply = await turn.ask(method, params);
      see.check('V006', reply.error?.code !== -32_601 && `${method} of version 1 was not answered with -32601`, reply);
    }
  }),
  'asking/subjects': (context) =>
    asked(context, 'V080', [
      { subject: { type: 'tool_call', toolCall: { toolCallId: 'new call', title: 'Write', kind: 'edit' } } },
      { subject: { type: 'tool_call', toolCall: { toolCallId: 'new call' } } },
      { subject: { type: 'command', command: 'make', cwd: '/tmp', toolCallId: null } },
      { subject: null, description: 'There is no subject.' },
      {},
      { subject: { type: '_network', host: 'example.com' } },
    ]),
  'asking/option-kinds': (context) =>
    asked(context, 'V081', [
      { options: [{ optionId: 'odd', name: 'Odd', kind: '_until_noon' }, yes, no] },
      { options: [{ optionId: 'odd', name: 'Odd', kind: 'allow_for_an_hour' }] },
    ]),
  'asking/withdrawn': async (context) => {
    await cancelled(context, { action: 'leave open' }, async (turn) => {
      const ids = ['ask-1', 'ask-2', 'ask-3'];
      const questions = ids.map((id) => askPermission(turn, id));
      await untilCancelled(context, turn);
      for (const requestId of ids) turn.agent.notify('$/cancel_request', { requestId });
      const answers = await Promise.all(questions.map((answer) => answer(2_000)));
      const isWrong = answers.some((each) => outcomeOf(each) !== 'cancelled' && codeOf(each) !== -32_800);
      context.see.check(
        ['V008', 'V062'],
        isWrong && 'a permission request that the agent withdrew was not answered with cancelled',
        answers,
      );
      return { stopReason: 'cancelled' };
    });
  },
  'asking/background': async (context) => {
    await cancelled(context, { action: 'leave open' }, async (turn) => {
      turn.toolCall({ toolCallId: 'slow', title: 'Build', status: 'in_progress' });
      turn.state('running', { background: [{ type: 'tool_call', toolCallId: 'slow' }] });
      const answer = askPermission(turn, 'slow');
      await untilCancelled(context, turn);
      const early = await answer(soon);
      const fault = 'the cancel of the turn also answered the permission request of a call in the background';
      context.see.check('V062', early !== undefined && fault, early);
      turn.agent.notify('$/cancel_request', { requestId: 'slow' });
      return { stopReason: 'cancelled' };
    });
  },
  'asking/forms': inTurn({ needs: ['elicitation.form'] }, async (turn, { see }) => {
    const reply = await turn.ask('elicitation/create', { ...form, mode: '_hologram' });
    const isRefused = reply.error !== undefined || ['decline', 'cancel'].includes(String(at(reply.result, 'action')));
    see.check('V082', !isRefused && 'a question in an unknown mode was answered as if it was known', reply);
    const { agent, sessionId } = turn;
    agent.send({ jsonrpc: '2.0', id: 'withdrawn', method: 'elicitation/create', params: { sessionId, ...form } });
    agent.notify('$/cancel_request', { requestId: 'withdrawn' });
    const answer = await agent.next((message) => isAnswerTo('withdrawn', message));
    see.check('V082', answer === undefined && 'a question that the agent withdrew was not answered');
  }),
  'asking/for-a-login': async (context) => {
    let answer: JournalEntry | undefined;
    context.play((agent) => {
      agent.offer({ authMethods: [{ type: 'agent', methodId: 'web', name: 'Web' }] });
      agent.handle('session/new', () => {
        if (agent.calls('auth/login').length === 0) throw new WireError(-32_000, 'Authentication required');
        return { sessionId: 'session-1' };
      });
      agent.handle('auth/login', async (_params, { id: requestId }) => {
        if (!agent.clientOffers('elicitation.form')) throw new Stopped('the client does not offer elicitation.form');
        agent.send({
          jsonrpc: '2.0',
          id: 'for the login',
          method: 'elicitation/create',
          params: { requestId, ...form },
        });
        answer = await agent.next((message) => isAnswerTo('for the login', message));
        return {};
      });
    });
    const { agent, end } = await context.perform('login', { method: 'web' });
    if (agent.calls('auth/login').length === 0) throw didNot('did not log in', end);
    const fault = at(answer?.message, 'result', 'action') === undefined;
    context.see.check('V082', fault && 'a question that belongs to a login was not answered with an action', answer);
  },
  'cancelling/tool-call': cancelsPart({
    ...{ action: 'cancel call', method: 'tool_call/cancel' },
    begin: (turn, capabilities) =>
      turn.toolCall({ toolCallId: 'slow', title: 'Build', status: 'in_progress', capabilities }),
    end: (turn) => turn.toolCall({ toolCallId: 'slow', status: 'cancelled' }),
  }),
  'cancelling/terminal': cancelsPart({
    ...{ action: 'cancel terminal', method: 'terminal/cancel' },
    begin: (turn, capabilities) =>
      turn.update({ sessionUpdate: 'terminal_update', terminalId: 'shell', command: 'make', cwd: '/', capabilities }),
    end: (turn) =>
      turn.update({ sessionUpdate: 'terminal_update', terminalId: 'shell', exitStatus: { signal: 'SIGTERM' } }),
  }),
  'children/permission': async (context) => {
    const script = async (turn: SimulatedTurn): Promise<void> => {
      turn.update({
        sessionUpdate: 'subagent_update',
        sessionId: 'child-1',
        title: 'Child',
        state: { state: 'running' },
      });
      const params = {
        ...turn.permission({ toolCallId: 'c1', title: 'Write a file', kind: 'edit' }),
        sessionId: 'child-1',
      };
      const reply = await turn.agent.ask('session/request_permission', params);
      const fault = at(reply.result, 'outcome', 'outcome') === undefined;
      context.see.check(
        'V145',
        fault && 'a permission request of a child session was not answered with an outcome',
        reply,
      );
    };
    await context.turn(script, { action: context.can('allow') ? 'allow' : 'prompt' });
  },
};

const form = {
  ...{ mode: 'form', message: 'Who are you?' },
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};

/** A turn in which the agent asks for permission in unusual ways. Each request must be answered with an offered option, or with none. */
async function asked(
  context: ClientContext,
  requirement: RequirementId,
  questions: readonly RawMessage[],
): Promise<void> {
  const script = async (turn: SimulatedTurn): Promise<void> => {
    for (const question of questions) {
      const { options, ...params } = { title: 'May I?', options: [yes, no], ...question };
      const reply = await turn.ask('session/request_permission', { ...params, options });
      const { outcome, optionId } = asMessage(at(reply.result, 'outcome')) ?? {};
      const isOffered = outcome === 'selected' && options.some((option) => option.optionId === optionId);
      const isDeclined = outcome === 'cancelled' || (reply.error !== undefined && reply.error.code !== -32_601);
      const answer = quoted(outcome ?? reply.error ?? null);
      const fault = `a permission request with ${quoted(question)} was answered with ${answer}`;
      context.see.check(requirement, !isOffered && !isDeclined && fault, reply);
    }
  };
  await context.turn(script, { action: context.can('allow') ? 'allow' : 'prompt' });
}

interface Cancellable {
  readonly action: 'cancel call' | 'cancel terminal';
  readonly method: string;
  readonly begin: (turn: SimulatedTurn, capabilities: RawMessage) => void;
  readonly end: (turn: SimulatedTurn) => void;
}

/** Makes the client cancel a part of a turn that offers it, after one that does not. An audit rule judges what it cancels. */
function cancelsPart({ action, method, begin, end }: Cancellable): ClientScript {
  return async (context) => {
    await context.turn(
      async (turn) => {
        begin(turn, {});
        await turn.agent.quiet(soon);
        end(turn);
      },
      { action: context.can(action) ? action : 'prompt' },
    );
    await context.turn(
      async (turn) => {
        begin(turn, { cancel: {} });
        if ((await turn.agent.call(method)) === undefined) throw new Stopped(`the client did not send ${method}`);
        end(turn);
        await turn.agent.quiet(soon);
      },
      { action },
    );
  };
}
