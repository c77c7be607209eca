import type { HostElicitation } from '@turnwire/client';
import { type FormField, formDefaults, formFields, parseFieldValue, urlConsent } from '@turnwire/client/elicitation';
import {
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type ElicitationContentValue,
  invalidParams,
} from '@turnwire/protocol';
import { cleanLine, cleanText, visibleText } from '../terminal/clean-text.ts';
import { choosePlainly, type PlainDialog } from './plain-choice.ts';

/** Asks for the fields of a form line by line, and whether to visit a page. */
export function plainElicitation(dialog: () => PlainDialog): HostElicitation {
  return {
    form: (request, { signal }) => askForm(dialog(), request, signal),
    url: (request, { signal }) => askVisit(dialog(), request, signal),
  };
}

async function askForm(
  chat: PlainDialog,
  request: CreateElicitationRequest,
  signal: AbortSignal,
): Promise<CreateElicitationResponse> {
  if (request.mode !== 'form' || !('requestedSchema' in request)) throw invalidParams('This is not a form');
  const { message, requestedSchema: schema } = request;
  chat.say([cleanText(message)]);
  const content: Record<string, ElicitationContentValue> = { ...formDefaults(schema) };
  for (const field of formFields(schema)) {
    const value = await askField(chat, { field, given: content[field.key], signal });
    if (value !== undefined) content[field.key] = value;
  }
  const review = Object.entries(content).map(([key, value]) => `${cleanLine(key)}: ${cleanLine(String(value))}`);
  return (await decision(chat, [...review, 'Nothing is sent yet.'].join('\n'), signal)) === 'accept'
    ? { action: 'accept', content }
    : { action: 'decline' };
}

async function askField(
  chat: PlainDialog,
  {
    field,
    given,
    signal,
  }: { readonly field: FormField; readonly given: ElicitationContentValue | undefined; readonly signal: AbortSignal },
): Promise<ElicitationContentValue | undefined> {
  const choices =
    'choices' in field ? field.choices.map(({ title }, index) => `  ${index + 1}  ${cleanLine(title)}`) : [];
  const about = [cleanLine(field.title), cleanLine(field.description ?? ''), field.isRequired ? '' : '(optional)'];
  chat.say([about.filter((part) => part !== '').join(' '), ...choices]);
  for (;;) {
    const line = await chat.askLine(
      given === undefined ? 'Answer: ' : `Answer (empty for ${cleanLine(String(given))}): `,
      signal,
    );
    if (line === undefined || (line === '' && given !== undefined)) return given;
    const parsed = parseFieldValue(field, line);
    if (parsed.ok) return parsed.value;
    chat.say([cleanLine(parsed.message)]);
  }
}

async function askVisit(
  chat: PlainDialog,
  request: CreateElicitationRequest,
  signal: AbortSignal,
): Promise<CreateElicitationResponse> {
  if (request.mode !== 'url' || !('url' in request)) throw invalidParams('This request has no page');
  const { url, host, warnings, mayOpen } = urlConsent(String(request.url));
  const lines = [
    cleanText(request.message),
    `It leads to ${visibleText(host)}: ${visibleText(url)}`,
    ...warnings.map(visibleText),
  ];
  if (!mayOpen) {
    chat.say(lines);
    return { action: 'decline' };
  }
  const action = await decision(chat, [...lines, 'Open it yourself if you agree.'].join('\n'), signal);
  return { action };
}

async function decision(
  chat: PlainDialog,
  title: string,
  signal: AbortSignal,
): Promise<'accept' | 'decline' | 'cancel'> {
  const choices = [
    { label: 'Yes', letter: 'y', value: 'accept' as const },
    { label: 'Decline', letter: 'n', value: 'decline' as const },
    { label: 'Cancel', value: 'cancel' as const },
  ];
  return (await choosePlainly(chat, { title, choices, mustAnswer: true, signal })) ?? 'cancel';
}
