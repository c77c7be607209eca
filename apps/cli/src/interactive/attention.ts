import type { ChatSession } from '../sessions/chat-session.ts';
import { type Frame, frame } from '../terminal/frame.ts';
import { cleanLine } from '../terminal/clean-text.ts';

/** What the chat does, as its user would ask. */
export type Activity = 'idle' | 'working' | 'asking' | 'ended';

/** What calling a user needs. */
export interface AttentionParts {
  readonly write: (drawn: Frame) => void;
  /** The name of the folder. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A terminal that does not report its focus: nobody looks if no key was pressed for so long, in milliseconds. */
const longestPause = 30_000;

/** The programs that know the notifications of rxvt; the others know those of iTerm, or ignore them. */
const knows777 = /^(?:ghostty|WezTerm|contour)$|^(?:rxvt|foot|xterm-ghostty)/;

/**
 * The title of the terminal's window, and a bell with a notification of the desktop: when a question waits or a turn is over, and nobody
 * looks at the terminal.
 */
export class Attention {
  readonly #parts: AttentionParts;
  #activity: Activity = 'idle';
  /** Undefined: the terminal has not reported it. */
  #hasFocus: boolean | undefined;
  #keyAt = performance.now();
  #isMissed = false;
  #title = '';

  constructor(parts: AttentionParts) {
    this.#parts = parts;
  }

  /** The terminal reports that it got the focus, or lost it. */
  focus(hasFocus: boolean): void {
    this.#hasFocus = hasFocus;
    if (hasFocus) this.seen();
  }

  /** The user is there. */
  seen(): void {
    this.#keyAt = performance.now();
    this.#isMissed = false;
    this.#entitle();
  }

  /** Sets what the chat does. */
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

  /** Another program may have changed the title. */
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

/** What a conversation does, as far as the user may want to know. */
export function activityOf({ state: { name } }: Pick<ChatSession, 'state'>): Activity {
  if (name === 'working' || name === 'cancelling') return 'working';
  return name === 'dead' ? 'ended' : 'idle';
}
