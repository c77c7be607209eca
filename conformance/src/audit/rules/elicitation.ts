import { asMessage, quoted, type RawMessage } from '../../wire/messages.ts';
import type { Frame } from '../frame.ts';
import { listener, type Rule, rule, type RuleContext } from '../rule.ts';

/** A question names its mode and what it belongs to, its form is flat, and its URL has no credentials. */
export const soundQuestions: Rule = listener('agent', ['R290', 'R298', 'R303'], (context) => {
  const open = new Set<string>();
  return {
    received: (frame) => {
      if (frame.kind === 'request') open.add(JSON.stringify(frame.id));
    },
    sent: (frame) => {
      if (frame.kind === 'request' && frame.method === 'elicitation/create') {
        judgeScope(frame, open, context);
        judgeForm(frame, context);
        judgeUrl(frame, context);
      }
      if (frame.kind === 'answer') open.delete(JSON.stringify(frame.id));
    },
  };
});

function judgeScope(frame: Frame, open: ReadonlySet<string>, { isWhole, held, broken }: RuleContext): void {
  const { mode, sessionId, requestId } = frame.params;
  if (typeof mode !== 'string') return broken('R290', 'elicitation/create does not name its mode', frame);
  if (sessionId === undefined && requestId === undefined)
    return broken('R290', 'elicitation/create belongs neither to a session nor to a request', frame);
  if (isWhole && sessionId === undefined && !open.has(JSON.stringify(requestId)))
    return broken('R290', 'elicitation/create belongs to a request that is not pending', frame);
  held('R290');
}

const flat = ['string', 'number', 'integer', 'boolean', 'array'];

function judgeForm(frame: Frame, { check }: RuleContext): void {
  const { mode, requestedSchema } = frame.params;
  if (mode !== 'form') return;
  const properties = Object.entries(asMessage(asMessage(requestedSchema)?.['properties']) ?? {});
  const nested = properties.find(([, property]) => !flat.includes(String(asMessage(property)?.['type'])));
  check('R298', nested !== undefined && `The field ${quoted(nested[0])} does not have a flat type`, frame);
}

function judgeUrl(frame: Frame, { check }: RuleContext): void {
  const { mode, url } = frame.params;
  if (mode !== 'url' || typeof url !== 'string' || !URL.canParse(url)) return;
  const { username, password } = new URL(url);
  check('R303', (username !== '' || password !== '') && 'The URL contains a user name or a password', frame);
}

/** The id of a URL question belongs to one question at a time, until that question is completed. */
export const elicitationIds: Rule = listener('agent', ['R309'], ({ check }) => {
  const open = new Map<unknown, Frame>();
  return {
    received: (frame) => {
      // A URL is not opened without consent, so it cannot be completed.
      const isOver = frame.error !== undefined || (frame.isSuccess && frame.result?.['action'] !== 'accept');
      if (frame.method === 'elicitation/create' && isOver) open.delete(frame.request?.params['elicitationId']);
    },
    sent: (frame) => {
      const { mode, elicitationId } = frame.params;
      if (frame.kind === 'request' && frame.method === 'elicitation/create' && mode === 'url') {
        const before = open.get(elicitationId);
        const fault =
          before !== undefined && `The elicitationId ${quoted(elicitationId)} was used for two open questions`;
        check('R309', fault, before, frame);
        open.set(elicitationId, frame);
      }
      if (frame.method === 'elicitation/complete') open.delete(elicitationId);
    },
  };
});

/** The content that a user accepts matches the form. */
export const filledForms: Rule = rule('client', ['R312'], (frame, { check }) => {
  const { request, result } = frame;
  const schema = asMessage(request?.params['requestedSchema']);
  if (frame.method !== 'elicitation/create' || result?.['action'] !== 'accept' || schema === undefined) return;
  const content = asMessage(result['content']) ?? {};
  const wrong = wrongField(schema, content);
  check('R312', wrong !== undefined && `The field ${quoted(wrong)} does not match the form`, request, frame);
});

const types: { readonly [type: string]: (value: unknown) => boolean } = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
};

/** The first field that is missing, has the wrong type, or has a value that is not a choice. */
function wrongField(schema: RawMessage, content: RawMessage): string | undefined {
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const properties = asMessage(schema['properties']) ?? {};
  return (
    required.find((name) => content[name] === undefined) ??
    Object.keys(content).find((name) => !fits(asMessage(properties[name]), content[name]))
  );
}

function fits(property: RawMessage | undefined, value: unknown): boolean {
  if (property === undefined) return true;
  const isType = types[String(property['type'])];
  if (isType !== undefined && !isType(value)) return false;
  const choices: unknown = property['enum'];
  return !Array.isArray(choices) || typeof value !== 'string' || choices.includes(value);
}
