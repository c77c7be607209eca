import type { Choosing, Choice } from './choice.ts';

/** A choice in lines. */
export interface PlainChoosing<Value> extends Choosing<Value> {
  /** Whether an empty line is not an answer. */
  readonly mustAnswer?: boolean;
  readonly signal?: AbortSignal;
}

/** Prints lines to the user, and reads lines. */
export interface PlainDialog {
  say(lines: readonly string[]): void;
  /** Resolves with undefined without an answer, or after the question was withdrawn. */
  askLine(prompt: string, signal?: AbortSignal): Promise<string | undefined>;
}

/** Lets the user choose from a numbered list. Resolves with undefined without an answer. */
export async function choosePlainly<Value>(
  dialog: PlainDialog,
  choosing: PlainChoosing<Value>,
): Promise<Value | undefined> {
  const { title, mustAnswer = false, signal } = choosing;
  const choices = await loaded(choosing);
  if (signal?.aborted) return undefined;
  dialog.say([...title.split('\n'), ...choices.map(choiceLine)]);
  const range = rangeOf(choices);
  for (;;) {
    const line = await dialog.askLine(`Answer (${range}${mustAnswer ? '' : ', or nothing'}): `, signal);
    if (line === undefined || (line.trim() === '' && !mustAnswer)) return undefined;
    const chosen = chosenBy(line.trim().toLowerCase(), choices);
    if (chosen) return chosen.value;
    dialog.say([`Type ${range}.${mustAnswer ? ' Ctrl-C stops the turn.' : ''}`]);
  }
}

/** The choices once they are loaded. What has been printed does not change, so later choices are not fetched. */
async function loaded<Value>({ choices, load, signal }: PlainChoosing<Value>): Promise<readonly Choice<Value>[]> {
  let found = choices;
  const ending = new AbortController();
  const stop = (): void => ending.abort();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await load?.((offered) => (found = offered), ending.signal);
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
  return found;
}

function rangeOf(choices: readonly Choice<unknown>[]): string {
  const letters = choices.flatMap(({ letter }) => letter ?? []);
  return `1-${choices.length}${letters.length > 0 ? `, ${letters.join(', ').replace(/, (\w)$/, ' or $1')}` : ''}`;
}

function choiceLine({ label, detail }: Choice<unknown>, index: number): string {
  return `  ${index + 1}  ${label}${detail === undefined || detail === '' ? '' : `: ${detail}`}`;
}

function chosenBy<Value>(answer: string, choices: readonly Choice<Value>[]): Choice<Value> | undefined {
  const isLetter = (choice: Choice<Value>): boolean =>
    choice.letter !== undefined && new RegExp(`^${choice.letter}`).test(answer);
  return choices.find(isLetter) ?? (/^\d+$/.test(answer) ? choices[Number(answer) - 1] : undefined);
}
