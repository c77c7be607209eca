import { methods } from '@turnwire/protocol';
import type { RequirementId } from '../../../requirements/requirement.ts';
import type { Fault } from '../../../verdict/observer.ts';
import { asMessage, errorOf, type RawMessage, type Reply } from '../../../wire/messages.ts';
import { type AgentScript, type AgentScripts, withAgent } from '../../agent-context.ts';
import { authenticationRequired } from '../../failed-turn.ts';
import { introductionIn } from '../../host/client-offer.ts';
import { answersBut, endedAfter, expectAnswer, readyToAnswer, unknownMethod } from '../../fixtures/unknown-method.ts';

/** Milliseconds in which a forbidden answer would arrive. */
const afterwards = 200;

/**
 * All optional and required requests to an agent. `logout` is excluded: an agent may carry it out despite wrong parameters, and the user
 * would have to log in again.
 */
const requests = Object.entries(methods).flatMap(([method, row]) =>
  row.side === 'agent' && row.kind === 'request' && method !== 'logout'
    ? [{ method, capability: 'capability' in row ? row.capability : undefined }]
    : [],
);

/** Every parameter of every method, each with a wrong type. */
const wrong = {
  ...{ sessionId: [], cwd: { path: '/' }, mcpServers: 'none', additionalDirectories: [5] },
  ...{ prompt: [{ type: 'text', text: 5 }], methodId: {}, modeId: 7, configId: null, value: [[]], cursor: 5 },
};

/** Metadata values that no agent interprets. */
const odd: RawMessage = {
  'turnwire.dev/odd': [1, null, { deep: [[[]]] }, 'text', 1e300],
  ...{ '': null, traceparent: 5, tracestate: { not: 'a text' }, progressToken: [] },
};

export const jsonRpcScenarios: AgentScripts = {
  'notifications/no-answer': unanswered('R018', [
    { method: 'session/cancel', params: { sessionId: 'turnwire-no-such-session' } },
    { method: 'session/cancel', params: {} },
    { method: 'session/cancel', params: { sessionId: 5 } },
    { method: 'turnwire/no_such_method', params: {} },
  ]),
  'notifications/unknown-extension': unanswered('R285', [
    { method: unknownMethod, params: {} },
    { method: unknownMethod, params: { _meta: { any: ['thing', 1, null] } } },
    { method: unknownMethod },
  ]),
  'json-rpc/parse-error': refused([['{"jsonrpc":"2.0","id":1,', -32_700, [null]]]),
  'json-rpc/invalid-request': refused([
    ['{"jsonrpc":"2.0","id":"numbered","method":5}', -32_600, [null, 'numbered']],
    ['[]', -32_600, [null]],
  ]),
  'json-rpc/unknown-method': async (context) => {
    const { wire } = await context.ready();
    const reply = await wire.ask('turnwire/no_such_method');
    context.see.check('R021', isNot(-32_601, reply, 'a request for an unknown method'), reply);
    await expectAnswer(wire);
    const extension = await wire.ask(unknownMethod, { any: ['thing'] });
    context.see.check('R284', isNot(-32_601, extension, 'a request for an unknown extension'), extension);
  },
  'json-rpc/bad-params': async (context) => {
    const { wire } = await context.ready();
    const bad = [
      ['session/new', { mcpServers: [] }],
      ['session/new', { cwd: 5, mcpServers: [] }],
      ['session/new', { cwd: context.folder, mcpServers: 'none' }],
      ['session/prompt', { sessionId: 5, prompt: [] }],
    ] as const;
    const replies: (readonly [string, Reply])[] = [];
    for (const [method, params] of bad) replies.push([method, await wire.ask(method, params)]);
    const good = await wire.ask('session/new', { cwd: context.folder, mcpServers: [] });
    // A missing login or model may be reported before the parameters are checked.
    const usual = [authenticationRequired, ...(good.error === undefined ? [] : [good.error.code])];
    for (const [method, reply] of replies)
      if (!usual.includes(reply.error?.code))
        context.see.check('R021', isNot(-32_602, reply, `${method} with wrong parameters`), reply);
  },
  'errors/wrong-types': async (context) => {
    const wire = await readyToAnswer(context);
    const asked = requests.filter(({ method }) => method !== 'initialize');
    const replies = await Promise.all(asked.map(({ method }) => wire.ask(method, wrong)));
    for (const reply of replies) {
      if (reply.error === undefined) continue;
      const { message } = reply.error;
      const isClear = typeof message === 'string' && message.trim() !== '';
      context.see.check('R023', !isClear && 'the error response has no message', reply);
    }
    const accepted = replies.filter(({ error }, nth) => error === undefined && asked[nth]?.method !== 'session/list');
    context.see.check('R328', accepted.length > 0 && 'parameters with wrong types were accepted', accepted);
    await wire.ask(unknownMethod);
  },
  'methods/required': withAgent([], async (agent, context) => {
    const offered = requests.filter(({ capability }) => capability !== undefined && agent.offers(capability));
    // The parameters are wrong: a method that exists refuses them and has no effect.
    for (const method of ['session/new', 'session/prompt', ...offered.map((row) => row.method)]) {
      const reply = await agent.wire.ask(method, { sessionId: 5, cwd: 5 });
      context.see.check(
        'R048',
        reply.error?.code === -32_601 && `${method} is required or advertised, but is not implemented`,
        reply,
      );
    }
  }),
  'metadata/any-values': async (context) => {
    const first = await context.open();
    const greeting = await first.ask('initialize', { ...introductionIn(context.version, {}), _meta: odd });
    context.see.check('R281', greeting.error !== undefined && 'initialize was refused because of its _meta', greeting);
    await first.close();
    const { wire, id: sessionId } = await context.session();
    // A second connection, because an agent may support one session at a time.
    const other = await (await context.ready()).askForSession({ _meta: odd });
    context.see.check('R281', other.error !== undefined && 'session/new was refused because of its _meta', other);
    const prompt = [{ type: 'text', text: context.steer('say', { text: 'hello' }), _meta: odd }];
    const turn = await context.turns.ask(wire, { sessionId, prompt, _meta: odd });
    context.see.check('R281', turn.error?.code === -32_602 && 'session/prompt was refused because of its _meta', turn);
  },
};

/** Sends notifications that must have no effect, then a request: only the request may be answered. */
function unanswered(requirement: RequirementId, notifications: readonly RawMessage[]): AgentScript {
  return async (context) => {
    const wire = await readyToAnswer(context);
    const from = wire.journal.length;
    const sent = notifications.map((notification) => wire.send({ jsonrpc: '2.0', ...notification }));
    const { entry } = await wire.ask(unknownMethod);
    await wire.quiet(afterwards);
    const answers = answersBut(wire, { from, entry });
    if (wire.hasEnded) throw endedAfter(wire, from);
    context.see.check(requirement, answers.length > 0 && 'a notification was answered', sent, answers);
  };
}

type BadLine = readonly [text: string, code: number, ids: readonly unknown[]];

/**
 * Lines that are not valid requests, with the expected error code and the permitted ids of the answer. Over HTTP such a line is refused
 * by its status instead: see remote/batch.
 */
function refused(lines: readonly BadLine[]): AgentScript {
  return async (context) => {
    const wire = await readyToAnswer(context);
    for (const [text, code, ids] of lines) {
      const from = wire.journal.length;
      const sent = wire.sendText(text);
      const answer = await wire.nextResponse(from);
      const message = asMessage(answer?.message) ?? {};
      const isRight = errorOf(message)?.code === code && ids.includes(message['id']);
      const fault =
        answer === undefined
          ? `an invalid line was not answered; expected the error ${code}`
          : `an invalid line was not answered with the error ${code} and the right id`;
      if (!wire.hasEnded) context.see.check('R021', !isRight && fault, sent, answer);
      await wire.ask(unknownMethod, {}, { id: 'still alive' });
      context.see.held('R019');
    }
  };
}

function isNot(code: number, { error }: Reply, what: string): Fault {
  const answer = error === undefined ? 'with a result' : `with the error ${String(error.code)}`;
  return error?.code !== code && `${what} was answered ${answer}`;
}
