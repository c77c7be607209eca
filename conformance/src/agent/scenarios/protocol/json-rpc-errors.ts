import type { JournalEntry } from '../../../wire/journal.ts';
import { asMessage, errorOf } from '../../../wire/messages.ts';
import type { Reply } from '../../../wire/messages.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { expectAnswer, nextAnswer, readyToAnswer, unknownMethod } from '../../pieces/unknown-method.ts';

const authenticationRequired = -32_000;

/** What JSON-RPC says to what it does not understand. */
export const jsonRpcErrorScenarios: readonly AgentScenario[] = [
  {
    id: 'json-rpc/parse-error',
    title: 'a line that is not JSON is answered with -32700 and the id null, and the connection continues',
    covers: ['R021', 'R019', 'R368'],
    // There it is refused with a status before it is read: remote/batch.
    notOver: 'http',
    run: async (stage) => {
      const wire = await readyToAnswer(stage);
      await seeRefused(stage, wire, { text: '{"jsonrpc":"2.0","id":1,', code: -32_700, ids: [null] });
    },
  },
  {
    id: 'json-rpc/invalid-request',
    title: 'what is JSON and no request is answered with -32600, and the connection continues',
    covers: ['R021', 'R019', 'R368'],
    notOver: 'http',
    run: async (stage) => {
      const wire = await readyToAnswer(stage);
      const text = '{"jsonrpc":"2.0","id":"numbered","method":5}';
      await seeRefused(stage, wire, { text, code: -32_600, ids: [null, 'numbered'] });
      await seeRefused(stage, wire, { text: '[]', code: -32_600, ids: [null] });
    },
  },
  {
    id: 'json-rpc/unknown-method',
    title: 'a method that is not there is answered with -32601',
    covers: ['R021', 'R284'],
    run: async (stage) => {
      const { wire } = await stage.ready();
      const reply = await wire.ask('turnwire/no_such_method');
      stage.see.check('R021', reply.error?.code === -32_601, wrongly('an unknown method', reply));
      await expectAnswer(wire);
      const extension = await wire.ask(unknownMethod, { any: ['thing'] });
      stage.see.check('R284', extension.error?.code === -32_601, wrongly('an unknown extension', extension));
    },
  },
  {
    id: 'json-rpc/bad-params',
    title: 'parameters that are missing or of the wrong type are answered with -32602',
    covers: ['R021'],
    run: async (stage) => {
      const { wire } = await stage.ready();
      const bad: readonly (readonly [string, unknown])[] = [
        ['session/new', { mcpServers: [] }],
        ['session/new', { cwd: 5, mcpServers: [] }],
        ['session/new', { cwd: stage.folder, mcpServers: 'none' }],
        ['session/prompt', { sessionId: 5, prompt: [] }],
      ];
      const replies: (readonly [string, Reply])[] = [];
      for (const [method, params] of bad) replies.push([method, await wire.ask(method, params)]);
      const good = await wire.ask('session/new', { cwd: stage.folder, mcpServers: [] });
      for (const [method, reply] of replies) seeBadParams(stage, reply, { method, usual: good.error?.code });
    },
  },
];

function seeBadParams(
  stage: AgentStage,
  reply: Reply,
  { method, usual }: { readonly method: string; readonly usual: unknown },
): void {
  // Without a login or a model, that may be reported before anything else.
  const code = reply.error?.code;
  if (code === authenticationRequired || (code !== undefined && code === usual)) return;
  stage.see.check('R021', reply.error?.code === -32_602, wrongly(`${method} with wrong parameters`, reply));
}

function wrongly(what: string, { entry, error }: Reply): { otherwise: string; evidence: readonly JournalEntry[] } {
  const answer = error === undefined ? 'with a result' : `with the error ${String(error.code)}`;
  return { otherwise: `${what} was answered ${answer}`, evidence: [entry] };
}

interface Refused {
  readonly text: string;
  readonly code: number;
  readonly ids: readonly unknown[];
}

async function seeRefused(stage: AgentStage, wire: Wire, { text, code, ids }: Refused): Promise<void> {
  const from = wire.journal.length;
  const sent = wire.sendText(text);
  const answer = await nextAnswer(wire, from);
  const message = asMessage(answer?.message) ?? {};
  const isRight = errorOf(message)?.code === code && ids.includes(message['id']);
  const evidence = answer === undefined ? [sent] : [sent, answer];
  const otherwise = answer === undefined ? `error ${code} is missing` : `the answer is not ${code} with its id`;
  if (!wire.hasEnded) stage.see.check('R021', isRight, { otherwise, evidence });
  await wire.ask(unknownMethod, {}, { id: 'still there' });
  stage.see.held('R019');
}
