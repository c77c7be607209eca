import { methods } from '@turnwire/protocol';
import type { RequirementId } from '../../../requirements/requirement.ts';
import type { Fault } from '../../../verdict/observer.ts';
import { asMessage, errorOf, type RawMessage, type Reply } from '../../../wire/messages.ts';
import { type AgentScript, type AgentScripts, withAgent } from '../../agent-stage.ts';
import {
  answersBut,
  endedAfter,
  expectAnswer,
  nextAnswer,
  readyToAnswer,
  unknownMethod,
} from '../../pieces/unknown-method.ts';

const authenticationRequired = -32_000;

/** How long an answer that must not be may take, in milliseconds. */
const afterwards = 200;

/** A logout may be understood whatever comes with it, and a user would have to log in again. */
const requests = Object.entries(methods).flatMap(([method, row]) =>
  row.side === 'agent' && row.kind === 'request' && method !== 'logout'
    ? [{ method, capability: 'capability' in row ? row.capability : undefined }]
    : [],
);

/** Every parameter of every method, each of a wrong type. */
const wrong = {
  ...{ sessionId: [], cwd: { path: '/' }, mcpServers: 'none', additionalDirectories: [5] },
  ...{ prompt: [{ type: 'text', text: 5 }], methodId: {}, modeId: 7, configId: null, value: [[]], cursor: 5 },
};

/** Values that no agent can have an opinion on. */
const odd: RawMessage = {
  'turnwire.dev/odd': [1, null, { deep: [[[]]] }, 'text', 1e300],
  ...{ '': null, traceparent: 5, tracestate: { not: 'a text' }, progressToken: [] },
};

/** What is answered, with what, and what is not. */
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
  'json-rpc/unknown-method': async (stage) => {
    const { wire } = await stage.ready();
    const reply = await wire.ask('turnwire/no_such_method');
    stage.see.check('R021', isNot(-32_601, reply, 'an unknown method'), reply);
    await expectAnswer(wire);
    const extension = await wire.ask(unknownMethod, { any: ['thing'] });
    stage.see.check('R284', isNot(-32_601, extension, 'an unknown extension'), extension);
  },
  'json-rpc/bad-params': async (stage) => {
    const { wire } = await stage.ready();
    const bad = [
      ['session/new', { mcpServers: [] }],
      ['session/new', { cwd: 5, mcpServers: [] }],
      ['session/new', { cwd: stage.folder, mcpServers: 'none' }],
      ['session/prompt', { sessionId: 5, prompt: [] }],
    ] as const;
    const replies: (readonly [string, Reply])[] = [];
    for (const [method, params] of bad) replies.push([method, await wire.ask(method, params)]);
    const good = await wire.ask('session/new', { cwd: stage.folder, mcpServers: [] });
    // Without a login or a model, that may be reported before anything else.
    const usual = [authenticationRequired, ...(good.error === undefined ? [] : [good.error.code])];
    for (const [method, reply] of replies)
      if (!usual.includes(reply.error?.code))
        stage.see.check('R021', isNot(-32_602, reply, `${method} with wrong parameters`), reply);
  },
  'errors/wrong-types': async (stage) => {
    const wire = await readyToAnswer(stage);
    const asked = requests.filter(({ method }) => method !== 'initialize');
    const replies = await Promise.all(asked.map(({ method }) => wire.ask(method, wrong)));
    for (const reply of replies) {
      if (reply.error === undefined) continue;
      const { message } = reply.error;
      const isClear = typeof message === 'string' && message.trim() !== '';
      stage.see.check('R023', !isClear && 'the error has no message', reply);
    }
    const accepted = replies.filter(({ error }, nth) => error === undefined && asked[nth]?.method !== 'session/list');
    stage.see.check('R328', accepted.length > 0 && 'parameters of wrong types were accepted', accepted);
    await wire.ask(unknownMethod);
  },
  'methods/required': withAgent([], async (agent, stage) => {
    const offered = requests.filter(({ capability }) => capability !== undefined && agent.offers(capability));
    // With wrong parameters: a method that is there refuses them, and does nothing.
    for (const method of ['session/new', 'session/prompt', ...offered.map((row) => row.method)]) {
      const reply = await agent.wire.ask(method, { sessionId: 5, cwd: 5 });
      stage.see.check('R048', reply.error?.code === -32_601 && `${method} is not there`, reply);
    }
  }),
  'metadata/any-values': async (stage) => {
    const first = await stage.open();
    const clientInfo = { name: 'turnwire-check', version: '0.1.0' };
    const params = { protocolVersion: 1, clientCapabilities: {}, clientInfo, _meta: odd };
    const greeting = await first.ask('initialize', params);
    stage.see.check('R281', greeting.error !== undefined && 'initialize was refused for its _meta', greeting);
    await first.close();
    const { wire, id: sessionId } = await stage.session();
    // An agent may have one session at a time.
    const other = await (await stage.ready()).askForSession({ _meta: odd });
    stage.see.check('R281', other.error !== undefined && 'a request was refused for its _meta', other);
    const prompt = [{ type: 'text', text: stage.steer('say', { text: 'hello' }), _meta: odd }];
    const turn = await stage.turns.ask(wire, { sessionId, prompt, _meta: odd });
    stage.see.check('R281', turn.error?.code === -32_602 && 'a prompt was refused for its _meta', turn);
  },
};

/** Notifications that change nothing: there must be no answer but the one to the request that follows them. */
function unanswered(requirement: RequirementId, notifications: readonly RawMessage[]): AgentScript {
  return async (stage) => {
    const wire = await readyToAnswer(stage);
    const from = wire.journal.length;
    const sent = notifications.map((notification) => wire.send({ jsonrpc: '2.0', ...notification }));
    const { entry } = await wire.ask(unknownMethod);
    await wire.quiet(afterwards);
    const answers = answersBut(wire, { from, entry });
    if (wire.hasEnded) throw endedAfter(wire, from);
    stage.see.check(requirement, answers.length > 0 && 'a notification was answered', sent, answers);
  };
}

type BadLine = readonly [text: string, code: number, ids: readonly unknown[]];

/** Lines that are no requests, and the errors that they are answered with. Over HTTP a line is refused with a status before it is read: remote/batch. */
function refused(lines: readonly BadLine[]): AgentScript {
  return async (stage) => {
    const wire = await readyToAnswer(stage);
    for (const [text, code, ids] of lines) {
      const from = wire.journal.length;
      const sent = wire.sendText(text);
      const answer = await nextAnswer(wire, from);
      const message = asMessage(answer?.message) ?? {};
      const isRight = errorOf(message)?.code === code && ids.includes(message['id']);
      const fault = answer === undefined ? `error ${code} is missing` : `the answer is not ${code} with its id`;
      if (!wire.hasEnded) stage.see.check('R021', !isRight && fault, sent, answer);
      await wire.ask(unknownMethod, {}, { id: 'still there' });
      stage.see.held('R019');
    }
  };
}

function isNot(code: number, { error }: Reply, what: string): Fault {
  const answer = error === undefined ? 'with a result' : `with the error ${String(error.code)}`;
  return error?.code !== code && `${what} was answered ${answer}`;
}
