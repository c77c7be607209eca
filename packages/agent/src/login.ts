import type {
  AuthenticateRequest,
  ElicitationSchema,
  InitializeRequest,
  Log,
  RequestContext,
} from '@turnwire/protocol';
import { askUser } from './turn/ask-user.ts';
import type { GivenAnswer, UserQuestion } from './turn/ask-user.ts';

/** One attempt to log in. */
export interface Login {
  /** Aborts when the client gives the attempt up or is gone. Pass it on to whatever takes time. */
  readonly signal: AbortSignal;
  /** Who logs in, as the client told. */
  readonly client: Readonly<Pick<InitializeRequest, 'clientInfo' | 'clientCapabilities'>>;
  /**
   * The request as it came, `_meta` and fields the protocol does not have included: some clients send `credentials`. What is in
   * them may be secret, so it belongs into no log, no error and no store but the one for secrets.
   */
  readonly request: AuthenticateRequest & { readonly [field: string]: unknown };
  /** Ways to ask the user meanwhile (protocol: Elicitation, Scope). Absent where the client has none. */
  readonly askUser?: LoginQuestions;
}

/** How a user can be asked during a login; what the client does not offer is absent. A question is given up with the attempt. */
export interface LoginQuestions {
  /** Asks to fill in a form, for an account or a region say. Never ask for a secret with it: the protocol forbids it. */
  readonly form?: (question: LoginForm) => Promise<GivenAnswer>;
  /**
   * Asks to visit a page, which may take secrets: one this agent serves to this machine, or the provider's. Answered means that the
   * visit was agreed to, not that it was made; call `completed` when it has done its work.
   */
  readonly page?: (question: LoginPage) => Promise<GivenAnswer>;
}

/** A form for a user who logs in. */
export interface LoginForm {
  /** What is needed and why. */
  readonly message: string;
  /** A flat object schema. */
  readonly form: ElicitationSchema;
}

/** A page for a user who logs in. */
export interface LoginPage {
  /** What is to be done there and why. */
  readonly message: string;
  /** Its address, without secrets in it. */
  readonly url: string;
}

/** The attempt a request is. */
export function loginOf(
  request: AuthenticateRequest,
  { peer, requestId, signal }: RequestContext<'agent'>,
  log: Log,
): Login {
  const { clientInfo, clientCapabilities } = peer.remote ?? {};
  const { form, url } = clientCapabilities?.elicitation ?? {};
  const ask = async (question: UserQuestion): Promise<GivenAnswer> =>
    (await askUser(question, { peer, scope: { requestId }, signal, log })) ?? { outcome: 'declined' };
  return {
    signal,
    client: { clientInfo, clientCapabilities },
    request: request as Login['request'],
    ...((form ?? url) && { askUser: { ...(form && { form: ask }), ...(url && { page: ask }) } }),
  };
}
