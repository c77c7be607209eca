import { at, errorOf, quoted } from '../../../wire/messages.ts';
import { type AgentScripts, inSession } from '../../agent-context.ts';
import { calm, expectDone } from '../../fixtures/preconditions.ts';
import { answersBut, readyToAnswer, unknownMethod, unknownRequest } from '../../fixtures/unknown-method.ts';
import { chosen, selected } from '../../host/simulate-host.ts';
import { failsWith } from './refusal.ts';

/** Milliseconds in which a forbidden answer would arrive. */
const afterwards = 200;

export const envelopeScenarios: AgentScripts = {
  'envelope/batch': async (context) => {
    const wire = await readyToAnswer(context);
    const from = wire.journal.length;
    const batch = wire.sendText(`[${unknownRequest('one')},${unknownRequest('two')}]`);
    const { entry } = await wire.ask(unknownMethod);
    await wire.quiet(afterwards);
    const answers = answersBut(wire, { from, entry });
    const isRefused = answers.every(({ message }) => errorOf(message)?.code === -32_600 && message['id'] === null);
    const fault = (answers.length !== 1 || !isRefused) && 'a batch was not answered once with -32600 and the id null';
    context.see.check('V001', fault, batch, answers);
  },
  'envelope/ids': async (context) => {
    const wire = await readyToAnswer(context);
    for (const id of [null, 1.5]) {
      const from = wire.journal.length;
      const sent = wire.sendText(unknownRequest(id));
      const answer = await wire.nextResponse(from);
      const isRefused = at(answer?.message, 'error', 'code') === -32_600 && at(answer?.message, 'id') === null;
      const fault = !isRefused && `a request with the id ${quoted(id)} was not answered with -32600 and the id null`;
      context.see.check('V002', fault, sent, answer);
    }
    await wire.ask(unknownMethod);
  },
  'envelope/same-id': inSession(async (session, context) => {
    const { wire } = session;
    session.onPermission(() => undefined);
    const turn = session.begin(context.steer('write', { path: context.path('made.txt'), text: 'made' }));
    const asked = await turn.until(({ method }) => method === 'session/request_permission');
    expectDone(asked !== undefined, 'ask for permission');
    const id = at(asked.message, 'id');
    const cancel = wire.notify('$/cancel_request', { requestId: id });
    await wire.quiet(calm);
    const isWithdrawn = turn.entries.some(
      ({ from, message }) => from === 'agent' && at(message, 'method') === '$/cancel_request',
    );
    const isCancelled = isWithdrawn || turn.stopReason === 'cancelled';
    const fault = isCancelled && 'cancelling an id of the agent cancelled its work';
    if (!context.see.check('V008', fault, asked, cancel, turn)) return;
    const reply = await wire.ask(unknownMethod, {}, { id });
    const how = 'a request with the id of an open request of the agent';
    context.see.check('V003', failsWith(reply, -32_601, how), asked, reply);
    wire.send({ jsonrpc: '2.0', id, result: selected(chosen(at(asked.message, 'params', 'options'), 'allow_once')) });
    // The turn ends only if the agent attributes both answers.
    await turn.end();
  }),
  'envelope/null-params': async (context) => {
    const wire = await readyToAnswer(context);
    const reply = await wire.ask(unknownMethod, null);
    context.see.check('V005', failsWith(reply, -32_601, 'an unknown request with "params": null'), reply);
  },
};
