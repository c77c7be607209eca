import type { ChatState } from '../sessions/chat-session.ts';
import type { TranscriptView } from '@turnwire/client/transcript';
import { statusFacts } from '../config/config-values.ts';
import type { PermissionMode } from '@turnwire/permissions';
import { cleanLine } from '../terminal/clean-text.ts';
import type { Paint } from '../terminal/paint.ts';
import { cutLine, textWidth } from '../terminal/text-width.ts';
import { elapsed } from '@turnwire/client/view';
import { isUnguardedMode, modelOf, modeOf } from './session-choices.ts';

/** The content of the status line. */
export interface Status {
  readonly state: ChatState;
  readonly transcript: TranscriptView;
  /** A message that replaces the state. */
  readonly note?: string | undefined;
  /** Whether the agent waits for an answer of the user. */
  readonly isAsking: boolean;
  readonly spinner: string;
  readonly now: number;
  readonly agentName: string;
  /** The name of the chat's folder, and of its branch in a repository. */
  readonly folder: string;
  readonly branch: string | undefined;
  /** The facts to show, in their order. Default: all. */
  readonly shown?: readonly StatusFact[] | undefined;
  /** The mode of the editor, if it has modes. */
  readonly editorMode: string | undefined;
  /** The approval setting, which applies if no permission rule matches. */
  readonly approval: PermissionMode;
}

type StatusFact = (typeof statusFacts)[number];

/** A fact about the session. Facts that need attention have a colour. */
interface Fact {
  readonly text: string;
  readonly style: 'dim' | 'red';
}

/** The status line: the activity on the left; folder, agent, model, mode, context and cost on the right, as far as they fit. */
export function statusLine(status: Status, width: number, paint: Paint): string {
  const { text, style } =
    status.note === undefined ? activity(status) : { text: status.note, style: 'yellow' as const };
  const left = cutLine(status.editorMode === undefined ? text : `${status.editorMode} · ${text}`, width);
  const right = fitting(facts(status), width - textWidth(left) - 3);
  const gap = ' '.repeat(Math.max(0, width - textWidth(left) - widthOf(right)));
  const shown = right.map((fact) => paint(fact.style, fact.text)).join(paint('dim', between));
  return `${style ? paint(style, left) : left}${shown === '' ? '' : `${gap}${shown}`}`;
}

interface Activity {
  readonly text: string;
  readonly style?: 'cyan' | 'dim' | 'red' | 'yellow';
}

function activity(status: Status): Activity {
  const { state, spinner, now } = status;
  switch (state.name) {
    case 'starting':
      return { text: `${spinner} ${starting(state, status)}`, style: 'cyan' };
    case 'working':
      if (status.isAsking) return { text: 'waiting for you · Esc stops', style: 'yellow' };
      return state.silentSince === undefined
        ? { text: `${spinner} working${since(state.since, now)} · Esc stops`, style: 'cyan' }
        : {
            text: `${spinner} silent for ${elapsed(now - state.silentSince) || '1 s'} · Esc stops · /restart`,
            style: 'yellow',
          };
    case 'cancelling':
      return state.isOverdue
        ? { text: 'the agent does not stop · Esc restarts it', style: 'red' }
        : { text: `${spinner} stopping${since(state.since, now)} · Esc restarts`, style: 'yellow' };
    case 'reconnecting':
      return {
        text: `${spinner} reconnecting in ${elapsed(state.until - now) || '1 s'} · /restart does it now`,
        style: 'yellow',
      };
    default:
      return still[state.name];
  }
}

/** States in which nothing moves. */
const still: Readonly<Record<'ready' | 'dead' | 'login-needed' | 'closed', Activity>> = {
  ready: { text: '/help for help', style: 'dim' },
  dead: { text: 'the agent ended · /restart or a prompt restarts it', style: 'red' },
  'login-needed': { text: 'the agent requires a login: /login', style: 'yellow' },
  closed: { text: 'closing', style: 'dim' },
};

function starting(
  { since: begun, waiting }: Extract<ChatState, { name: 'starting' }>,
  { agentName, now }: Status,
): string {
  if (waiting) return `waiting ${elapsed(waiting.until - now) || '1 s'} before the session is loaded`;
  return `starting ${agentName}${since(begun, now)}`;
}

function since(start: number, now: number): string {
  const time = elapsed(now - start);
  return time === '' ? '' : ` ${time}`;
}

/** The facts on the right, the most important last, because the first are dropped if they do not fit. */
function facts({ transcript, approval, state, ...status }: Status): Fact[] {
  const cost = transcript.cost ? money(transcript.cost) : undefined;
  const context = transcript.usage && transcript.usage.size > 0 ? gauge(transcript.usage) : undefined;
  const isOpen = approval === 'bypassPermissions';
  const known: Readonly<Record<StatusFact, readonly Fact[]>> = {
    folder: fact(placeOf(status)),
    agent: fact(state.name === 'starting' ? undefined : cutLine(status.agentName, longestName)),
    model: fact(modelOf(transcript)),
    approval: fact(approval === 'default' ? undefined : `approval ${approval}`, isOpen),
    mode: fact(modeOf(transcript), isUnguardedMode(transcript)),
    context: fact(context),
    cost: fact(cost),
  };
  const shown = status.shown ?? statusFacts;
  // A warning that everything is allowed is always shown.
  const all = [
    ...shown,
    ...statusFacts.filter((name) => !shown.includes(name) && known[name][0]?.style === 'red'),
  ].flatMap((name) => known[name]);
  return [...all.filter(({ style }) => style === 'dim'), ...all.filter(({ style }) => style === 'red')];
}

function placeOf({ folder, branch }: Pick<Status, 'folder' | 'branch'>): string {
  const name = cutLine(folder, longestName);
  return branch === undefined ? name : `${name} (${cutLine(branch, longestName)})`;
}

function fact(text: string | undefined, needsCare = false): Fact[] {
  return text === undefined ? [] : [{ text: cleanLine(text), style: needsCare ? 'red' : 'dim' }];
}

const between = ' · ';
/** The maximum width of the name of a folder, a branch or an agent, in columns. */
const longestName = 30;

function widthOf(shown: readonly Fact[]): number {
  return textWidth(shown.map(({ text }) => text).join(between));
}

function fitting(all: readonly Fact[], width: number): readonly Fact[] {
  for (let start = 0; start < all.length; start++) if (widthOf(all.slice(start)) <= width) return all.slice(start);
  return [];
}

/** The use of the context: `34% of 200k`. */
function gauge({ used, size }: { readonly used: number; readonly size: number }): string {
  return `${Math.round((used / size) * 100)}% of ${short(size)}`;
}

function short(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens < 1_000_000 ? `${Math.round(tokens / 1000)}k` : `${Math.round(tokens / 100_000) / 10}M`;
}

function money({ amount, currency }: { readonly amount: number; readonly currency: string }): string {
  const text = amount < 0.1 && amount > 0 ? amount.toFixed(3) : amount.toFixed(2);
  return currency === 'USD' ? `$${text}` : `${text} ${currency}`;
}

/** Whether the spinner turns. */
export function isMoving({ state }: { readonly state: ChatState }): boolean {
  const { name } = state;
  return (
    name === 'starting' ||
    name === 'reconnecting' ||
    name === 'working' ||
    (state.name === 'cancelling' && !state.isOverdue)
  );
}
