import type {
  AuthenticateRequest,
  ElicitationSchema,
  InitializeRequest,
  Log,
  RequestContext,
} from '@turnwire/protocol';
import { askUser } from './turn/ask-user.ts';
import type { GivenAnswer, UserQuestion } from './turn/ask-user.ts';
import type { ClientWire } from './wire/client-wire.ts';

/** One attempt to log in. */
export interface Login {
  /** Aborts when the client cancels the attempt or disconnects. Pass it on to anything that takes time. */
  readonly signal: AbortSignal;
  /** The client's name, version and capabilities, as it sent them. */
  readonly client: Readonly<Pick<InitializeRequest, 'clientInfo' | 'clientCapabilities'>>;
  /**
   * The request as received, with `_meta` and unknown fields: some clients send `credentials`. It may contain secrets, so never put it into
   * a log, an error or any store other than one for secrets.
   */
  readonly request: AuthenticateRequest & { readonly [field: string]: unknown };
  /** Ways to ask the user during the login (protocol: Elicitation, Scope). Absent if the client supports none. */
  readonly askUser?: LoginQuestions;
}

/** The questions a client supports during a login; others are absent. Ending the attempt withdraws its question. */
export interface LoginQuestions {
  /** Asks the user to fill in a form, for an account or a region for example. Never ask for a secret with it: the protocol forbids it. */
  readonly form?: (question: LoginForm) => Promise<GivenAnswer>;
  /**
   * Asks the user to visit a page, which may take secrets: one this agent serves to this machine, or the provider's. `answered` means that
   * the user agreed to visit it, not that the visit took place; call `completed` when the page has done its work.
   */
  readonly page?: (question: LoginPage) => Promise<GivenAnswer>;
}

/** A form that a user fills in to log in. */
export interface LoginForm {
  /** The request and its reason, for the user. */
  readonly message: string;
  /** A flat object schema. */
  readonly form: ElicitationSchema;
}

/** A page that a user visits to log in. */
export interface LoginPage {
  /** The purpose of the visit, for the user. */
  readonly message: string;
  /** Its address, which must not contain secrets. */
  readonly url: string;
}

/** The login attempt of a request. */
export function loginOf(
  request: AuthenticateRequest,
  { wire, requestId, signal }: Pick<RequestContext<'agent'>, 'requestId' | 'signal'> & { readonly wire: ClientWire },
  log: Log,
): Login {
  const { form, url } = wire.capabilities.elicitation ?? {};
  const ask = async (question: UserQuestion): Promise<GivenAnswer> =>
    (await askUser(question, { wire, scope: { requestId }, signal, log })) ?? { outcome: 'declined' };
  return {
    signal,
    client: { clientInfo: wire.info, clientCapabilities: wire.capabilities },
    request: request as Login['request'],
    ...((form ?? url) && { askUser: { ...(form && { form: ask }), ...(url && { page: ask }) } }),
  };
}
