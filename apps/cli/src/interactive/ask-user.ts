import type { QuestionView } from '@turnwire/permissions';
import type { HostContext, HostElicitation } from '@turnwire/client';
import { urlConsent } from '@turnwire/client/elicitation';
import { type CreateElicitationRequest, type CreateElicitationResponse, invalidParams } from '@turnwire/protocol';
import type { UserAnswer } from '../questions/answer-choices.ts';
import type { ChatActions } from './chat-actions.ts';
import type { Dialog } from './dialogs/dialog.ts';
import { Form } from './dialogs/form.ts';
import { PermissionPrompt } from './dialogs/permission-prompt.ts';
import { VisitPage } from './dialogs/visit-page.ts';
import { openUrl } from './open-url.ts';

/** Asks whether a tool may run. Resolves with undefined if the question is withdrawn. */
export function askPermission(
  chat: ChatActions,
  view: QuestionView,
  signal: AbortSignal,
): Promise<UserAnswer | undefined> {
  return askInDialog<UserAnswer | undefined>(chat, { signal, withdrawn: undefined }, (settle) => {
    const replies = { answer: settle, stop: () => chat.stop() };
    return new PermissionPrompt(view, replies, chat.controller.cwd);
  });
}

/** Asks the user a question of an agent: with a form, or with a page to visit. */
export function elicitation(chat: () => ChatActions): HostElicitation {
  return {
    form: (request, { signal }) => askForm(chat(), request, signal),
    url: (request, { signal }) => askVisit(chat(), request, signal),
    complete: () => chat().note('the agent reports that the page is completed'),
  };
}

function askForm(
  chat: ChatActions,
  request: CreateElicitationRequest,
  signal: HostContext['signal'],
): Promise<CreateElicitationResponse> {
  if (request.mode !== 'form' || !('requestedSchema' in request))
    return Promise.reject(invalidParams('This is not a form'));
  const { message, requestedSchema: schema } = request;
  return askInDialog<CreateElicitationResponse>(
    chat,
    { signal, withdrawn: { action: 'cancel' } },
    (onAnswer) => new Form({ message, schema, onAnswer }),
  );
}

function askVisit(
  chat: ChatActions,
  request: CreateElicitationRequest,
  signal: HostContext['signal'],
): Promise<CreateElicitationResponse> {
  if (request.mode !== 'url' || !('url' in request)) return Promise.reject(invalidParams('This request has no page'));
  const { message } = request;
  const consent = urlConsent(String(request.url));
  return askInDialog<CreateElicitationResponse>(chat, { signal, withdrawn: { action: 'cancel' } }, (onAnswer) => {
    return new VisitPage({ message, consent, open: openUrl, onAnswer });
  });
}

/** Opens a dialog and waits for its answer, or until the question is withdrawn. */
function askInDialog<Value>(
  { dialogs }: ChatActions,
  { signal, withdrawn }: { readonly signal: AbortSignal; readonly withdrawn: Value },
  make: (settle: (value: Value) => void) => Dialog,
): Promise<Value> {
  if (signal.aborted) return Promise.resolve(withdrawn);
  return new Promise((resolve) => {
    const settle = (value: Value): void => {
      close();
      signal.removeEventListener('abort', withdraw);
      resolve(value);
    };
    const withdraw = (): void => settle(withdrawn);
    const close = dialogs.ask(make(settle));
    signal.addEventListener('abort', withdraw, { once: true });
  });
}
