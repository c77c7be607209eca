import { type Agent, attachAgent, type FrameTap } from '@turnwire/client';
import type { ScriptedAnswers } from '@turnwire/client/elicitation';
import { gatewayExtensions, type SessionEvent } from '@turnwire/client/gateway';
import {
  type PermissionContext,
  type PermissionOption,
  type RequestPermissionRequest,
  type Transport,
  turnwireMeta,
} from '@turnwire/protocol';
import type { AskUser } from '../questions/ask-user.ts';
import { clientInfo } from '../driving/drive.ts';
import { elicitationOf } from '../driving/elicitation-of.ts';
import { warn } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import type { TurnScreen } from '../output/turn-screen.ts';
import type { TurnRules } from '../permission/turn-rules.ts';

/** The inputs of a command's client. */
export interface SessionClientParts {
  /** Asks the user, if there is one. */
  readonly screen: Pick<TurnScreen, 'ask' | 'elicit'>;
  readonly options: PromptSettings;
  /** Prepared answers to the agent's questions. Default: the user answers. */
  readonly answers: ScriptedAnswers | undefined;
  /** Receives the events other than updates. Default: those that matter to users are printed to stderr. */
  readonly onEvent?: (event: SessionEvent) => void;
  /** Receives every frame between the command and the gateway. */
  readonly tap?: FrameTap | undefined;
  /** Aborts the attempt to connect. */
  readonly signal: AbortSignal;
}

/** The options of a command that go with each of its prompts. */
export type PromptSettings = Pick<GlobalOptions, 'permission' | 'maxCost' | 'promptRetries' | 'verbose'> &
  Partial<Pick<GlobalOptions, 'ifLost'>> & {
    /** The limit of a turn that no command waits for, in seconds. */
    readonly turnLimit?: number | undefined;
  };

/** In milliseconds. Longer than for an agent: a gateway waits for its agent, with timeouts of its own. */
const timeouts = {
  initialize: 300_000,
  newSession: 300_000,
  resumeSession: 600_000,
  closeSession: 30_000,
  set: 300_000,
  cancel: 15_000,
};

/** Connects a command that prints to a gateway, as a client of one session. Notices of the gateway are printed to stderr. */
export function sessionClient(transport: Transport, parts: SessionClientParts): Promise<Agent> {
  const { screen, options, answers, onEvent = warnOf, tap, signal } = parts;
  const { ask } = screen;
  const turnwire = promptMeta(options, ask !== undefined);
  return attachAgent(transport, {
    clientInfo: clientInfo(),
    // Scripts rely on the exit code of a turn that reached a limit.
    clientMeta: { turnwire: { events: true, ownPrompts: true, asks: ask !== undefined, decidesLimits: false } },
    permission: ask && ((request, context) => answerPermission(request, context, ask)),
    host: { elicitation: elicitationOf({ answers, elicit: screen.elicit, warn: warn }) },
    extensions: gatewayExtensions({ '_turnwire/event': ({ event }) => onEvent(event) }),
    tap,
    promptMeta: () => ({ turnwire }),
    timeouts,
    // A slow terminal or pipe slows the agent down.
    peer: { limits: { heldText: 64 * 1024 } },
    signal,
  });
}

/** Asks the user a question of a gateway. Resolves with undefined without an answer, and for a request without a question. */
async function answerPermission(
  { options, _meta }: RequestPermissionRequest,
  { signal, feedback: send }: PermissionContext,
  ask: AskUser,
): Promise<PermissionOption | undefined> {
  const { question } = turnwireMeta<'session/request_permission'>(_meta);
  const { choice, feedback } = (question && (await ask(question, signal))) ?? {};
  if (feedback) send?.(feedback);
  // The options are in the order of the choices.
  return question && choice && options[question.choices.indexOf(choice)];
}

/** Makes `_meta.turnwire` of a prompt. */
export function promptMeta(
  { permission: settings, maxCost, promptRetries, verbose, ifLost, turnLimit }: PromptSettings,
  canAsk: boolean,
): object {
  const rules: TurnRules = { settings, canAsk, ...(verbose && { isVerbose: true }) };
  return {
    rules,
    limits: { seconds: turnLimit, cost: maxCost, retries: promptRetries },
    ...(ifLost === 'fail' && { ifLost }),
  };
}

/** Shows an event of the turn of a command. */
export function showEvent(event: SessionEvent, screen: Pick<TurnScreen, 'terminal' | 'permissionAsked'>): void {
  if (event.type === 'terminal') void screen.terminal(event);
  else if (event.type === 'permission-asked') screen.permissionAsked(event.request.toolCall);
  else warnOf(event);
}

/** Prints events other than updates to stderr, if they matter to users. */
export function warnOf(event: SessionEvent): void {
  if (event.type === 'remark') warn(event.title);
  if (event.type === 'ran-unasked') warn(event.explanation);
  if (event.type !== 'boundary') return;
  if (event.reason === 'context-lost') warn(`context lost: ${event.message}`);
  if (event.reason === 'restarted') warn(event.message);
}
