import type { PermissionDecision, PermissionPolicy } from '@turnwire/client';
import type { PermissionOption } from '@turnwire/protocol';
import type { ToolCalls, ToolCallView } from '../output/tool-calls.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { TypedLines } from '../terminal/lines.ts';
import type { Paint } from '../terminal/paint.ts';
import { permissionLines } from './permission-lines.ts';

/** What a question needs. */
export interface Asking {
  readonly lines: TypedLines;
  readonly write: (text: string) => void;
  readonly paint: Paint;
  /** Called before a question about a tool call is shown. */
  readonly onQuestion: (call: ToolCallView) => void;
  /** What comes next begins a line. */
  readonly freshLine: () => void;
  /** Called when the answer was Ctrl-C. */
  readonly onInterrupt: () => void;
}

/** A policy that asks the person at the terminal, one question at a time. */
export function askPerson(asking: Asking, calls: ToolCalls): PermissionPolicy {
  let last: Promise<unknown> = Promise.resolve();
  return ({ toolCall, options }, { signal }) => {
    const call = calls.merge(toolCall);
    const decision = last.then(async () => {
      if (signal.aborted || options.length === 0) return undefined;
      await asking.lines.discardTyped();
      asking.onQuestion(call);
      const lines = [
        ...permissionLines(call, asking.paint),
        ...options.map((option, index) => optionLine(option, index + 1)),
      ];
      asking.write(`${lines.join('\n')}\n`);
      return choose(asking, options, signal);
    });
    last = decision.catch(() => undefined);
    return decision;
  };
}

async function choose(
  asking: Asking,
  options: readonly PermissionOption[],
  signal: AbortSignal,
): Promise<PermissionDecision> {
  const hint = `1-${options.length}${letters.some(({ kind }) => options.some((option) => option.kind === kind)) ? ', y or n' : ''}`;
  for (;;) {
    const answer = await asking.lines.ask(`Answer (${hint}): `, signal);
    if (answer === 'interrupted' && !signal.aborted) asking.onInterrupt();
    if (answer === 'interrupted' || answer === 'ended') return undefined;
    const option = chosen(options, answer.line.trim().toLowerCase());
    if (option) return option;
    asking.write(`Type the number of an option: ${hint}. Ctrl-C stops the turn.\n`);
  }
}

const letters = [
  { letters: ['y', 'yes'], kind: 'allow_once' },
  { letters: ['n', 'no'], kind: 'reject_once' },
] as const;

function chosen(options: readonly PermissionOption[], answer: string): PermissionDecision {
  const letter = letters.find((each) => each.letters.some((one) => one === answer));
  const named = options.filter((option) => option.kind === letter?.kind);
  return named.length === 1 ? named[0] : options[/^\d+$/.test(answer) ? Number(answer) - 1 : -1];
}

function optionLine({ name, kind }: PermissionOption, number: number): string {
  const remembered = kind.endsWith('_always') ? ' (the agent remembers it)' : '';
  return `  ${number}  ${cleanLine(name)}${remembered}`;
}
