import type { UrlConsent } from '@turnwire/client/elicitation';
import type { CreateElicitationResponse } from '@turnwire/protocol';
import { cleanText, visibleText } from '../../terminal/clean-text.ts';
import type { Paint } from '../../terminal/paint.ts';
import { wrapExactly, wrapWords } from '../../terminal/text-width.ts';
import type { Drawing, Size } from '../drawing.ts';
import type { Key } from '../key.ts';
import { ChoiceList } from './choice-list.ts';
import type { Choice } from '../../questions/choice.ts';
import type { Dialog } from './dialog.ts';
import { ScrollBox } from './scroll-box.ts';

type Visit = 'open' | 'accept' | 'decline' | 'cancel';

/** A page that the agent asks the user to visit. */
export interface VisitPageOptions {
  readonly message: string;
  readonly consent: UrlConsent;
  /** Opens the page in the user's browser; called only with the user's consent. */
  readonly open: (url: string) => void;
  readonly onAnswer: (response: CreateElicitationResponse) => void;
}

/** Asks whether to open a page. Shows its host, its full address, and warnings, and opens nothing before the answer. */
export class VisitPage implements Dialog {
  readonly #options: VisitPageOptions;
  readonly #choices: ChoiceList<Visit>;
  readonly #scroll = new ScrollBox();

  constructor(options: VisitPageOptions) {
    this.#options = options;
    const visits: Choice<Visit>[] = [
      { label: 'Open it in the browser', letter: 'y', value: 'open' },
      { label: 'I will open it myself', value: 'accept' },
    ];
    this.#choices = new ChoiceList<Visit>([
      ...(options.consent.mayOpen ? visits : []),
      { label: 'Decline', letter: 'n', value: 'decline' },
      { label: 'Cancel', detail: 'no answer', value: 'cancel' },
    ]);
    // Keys typed for something else must not open a page.
    this.#choices.unmark();
  }

  draw({ columns, rows }: Size, paint: Paint): Drawing {
    const { message, consent } = this.#options;
    const lines = [
      ...wrapWords(cleanText(message).trim(), columns - 2).map(
        (line, index) => `${index === 0 ? paint('yellow', '? ') : '  '}${paint('bold', line)}`,
      ),
      ...(consent.host === '' ? [] : [`  It leads to ${paint('bold', visibleText(consent.host))}:`]),
      ...wrapExactly(visibleText(consent.url), columns - 4).map((line) => `    ${line}`),
      ...consent.warnings
        .flatMap((warning) => wrapWords(visibleText(warning), columns - 4))
        .map((line) => paint('red', `  ! ${line}`)),
    ];
    const choices = this.#choices.draw({ columns, rows: this.#choices.length }, { paint, isNumbered: true });
    return { lines: [...this.#scroll.draw(lines, Math.max(2, rows - choices.length), paint), ...choices] };
  }

  key(key: Key): void {
    if (key.chord === 'escape') return this.#answer('cancel');
    if (this.#scroll.key(key)) return;
    const choice = key.chord === 'return' ? this.#choices.marked : this.#choices.named(key);
    if (choice) this.#answer(choice.value);
    else this.#choices.move(key);
  }

  paste(): void {}

  #answer(visit: Visit): void {
    if (visit === 'open') this.#options.open(this.#options.consent.url);
    this.#options.onAnswer({ action: visit === 'open' ? 'accept' : visit });
  }
}
