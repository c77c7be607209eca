import { asMessage, quoted } from '../../wire/messages.ts';
import type { Frame } from '../frame.ts';
import { listener, type Rule, rule, type RuleContext } from '../rule.ts';

/** The options of a permission request have distinct ids. */
export const distinctOptions: Rule = rule('agent', ['R196'], (frame, { held, broken }) => {
  if (frame.kind !== 'request' || frame.method !== 'session/request_permission') return;
  const ids = optionIds(frame);
  if (new Set(ids).size < ids.length) broken('R196', 'Two options of a permission request have the same id', frame);
  else if (ids.length > 1) held('R196');
});

/** A permission request is answered with one of its options, or with cancelled once its turn was cancelled. */
export const permissionAnswers: Rule = listener('client', ['R157', 'R197', 'R199'], (context) => {
  const withdrawn = new Set<string>();
  return {
    received: (frame) => {
      if (frame.method === '$/cancel_request') withdrawn.add(JSON.stringify(frame.params['requestId']));
    },
    sent: (frame) => {
      if (frame.kind !== 'answer' || frame.method !== 'session/request_permission') return;
      if (withdrawn.has(JSON.stringify(frame.id))) return;
      const outcome = asMessage(frame.result?.['outcome']);
      if (outcome?.['outcome'] === 'selected') judgeChoice(frame, outcome['optionId'], context);
      judgeAfterCancel(frame, outcome?.['outcome'], context);
    },
  };
});

function judgeChoice(answer: Frame, optionId: unknown, { check }: RuleContext): void {
  const { request } = answer;
  const fault =
    !(request !== undefined && optionIds(request).includes(optionId)) &&
    `The permission request was answered with the option ${quoted(optionId)}, which it did not offer`;
  check('R197', fault, request, answer);
}

function judgeAfterCancel(answer: Frame, outcome: unknown, { facts, check }: RuleContext): void {
  const { cancelled, turns } = facts.session(answer.sessionId ?? '');
  if (cancelled === undefined || turns.size === 0) return;
  const message = 'The turn was cancelled, but its permission request was not answered with cancelled';
  const wasPending = (answer.request?.entry.at ?? 0) <= cancelled.entry.at;
  check(
    wasPending ? ['R157', 'R199'] : ['R199'],
    outcome !== 'cancelled' && message,
    answer.request,
    cancelled,
    answer,
  );
}

function optionIds({ params }: Frame): readonly unknown[] {
  const { options } = params;
  return Array.isArray(options) ? options.map((option) => asMessage(option)?.['optionId']) : [];
}
