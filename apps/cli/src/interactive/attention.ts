import type { ChatSession } from '../sessions/chat-session.ts';
import { type Frame, frame } from '../terminal/frame.ts';
import { cleanLine } from '../terminal/clean-text.ts';

/** The activity of a chat, for its user. */
export type Activity = 'idle' | 'working' | 'asking' | 'ended';

/** The options of {@link Attention}. */
export interface AttentionParts {
  readonly write: (drawn: Frame) => void;
  /** The name of the folder. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** In a terminal that does not report its focus, the user counts as away this long after the last key, in milliseconds. */
const longestPause = 30_000;

/** The terminals that support the notifications of rxvt. The others support those of iTerm, or ignore them. */
const knows777 = /^(?:ghostty|WezTerm|contour)$|^(?:rxvt|foot|xterm-ghostty)/;

/**
 * Sets the title of the terminal's window. Rings the bell and sends a desktop notification when a question appears or a turn ends while the
 * user is away from the terminal.
 */
export class Attention {
  readonly #parts: AttentionParts;
  #activity: Activity = 'idle';
  /** Whether the terminal has the focus; undefined until the terminal reports it. */
  #hasFocus: boolean | undefined;
  #keyAt = performance.now();
  #isMissed = false;
  #title = '';

  constructor(parts: AttentionParts) {
    this.#parts = parts;
  }

  /** Records a focus report of the terminal. */
  focus(hasFocus: boolean): void {
    this.#hasFocus = hasFocus;
    if (hasFocus) this.seen();
  }

  /** Records that the user is at the terminal. */
  seen(): void {
    this.#keyAt = performance.now();
    this.#isMissed = false;
    this.#entitle();
  }

  /** Sets the activity, and notifies an absent user of news. */
  follow(activity: Activity): void {
    const before = this.#activity;
    this.#activity = activity;
    const isNews = activity !== before && (activity === 'asking' || (activity !== 'working' && before !== 'idle'));
    if (isNews && this.#isAway) {
      this.#isMissed = true;
      this.#parts.write(this.#call(`${words[activity]} in ${cleanLine(this.#parts.folder)}`));
    }
    this.#entitle();
  }

  /** Sets the title again, because another program may have changed it. */
  again(): void {
    this.#title = '';
    this.#entitle();
  }

  get #isAway(): boolean {
    return this.#hasFocus === undefined ? performance.now() - this.#keyAt > longestPause : !this.#hasFocus;
  }

  #entitle(): void {
    const mark = this.#activity === 'asking' ? '● asks' : this.#isMissed ? '✓ done' : 'turnwire';
    const title = `${mark} · ${cleanLine(this.#parts.folder)}`;
    if (title === this.#title) return;
    this.#title = title;
    this.#parts.write(frame`\u001b]2;${title}\u0007`);
  }

  #call(text: string): Frame {
    const { TERM_PROGRAM = '', TERM = '' } = this.#parts.env;
    return knows777.test(TERM_PROGRAM) || knows777.test(TERM)
      ? frame`\u0007\u001b]777;notify;turnwire;${text}\u0007`
      : frame`\u0007\u001b]9;turnwire: ${text}\u0007`;
  }
}

const words: Readonly<Record<Activity, string>> = {
  asking: 'a question waits',
  idle: 'the turn is over',
  ended: 'the agent has ended',
  working: '',
};

/** The activity of a session. */
export function activityOf({ state: { name } }: Pick<ChatSession, 'state'>): Activity {
  if (name === 'working' || name === 'cancelling') return 'working';
  return name === 'dead' ? 'ended' : 'idle';
}
