import Anser from 'anser';
import { type ReactNode, useMemo } from 'react';

/** Lines shown of an output until the user asks for all. */
const mostLines = 400;

/** What a command printed, with its colours. Control sequences other than colours are left out. */
export function Output({ text }: { readonly text: string }): ReactNode {
  const parts = useMemo(() => coloured(text), [text]);
  return (
    // Long output is scrolled with the keyboard too.
    <pre className="output" tabIndex={0} role="region" aria-label="Output">
      {parts.map(({ content, classes }, place) => (
        <span key={place} className={classes}>
          {content}
        </span>
      ))}
    </pre>
  );
}

interface OutputPart {
  readonly content: string;
  readonly classes: string;
}

function coloured(text: string): readonly OutputPart[] {
  const lines = overwritten(text).split('\n');
  const left = lines.length - mostLines;
  const shown = left > 0 ? lines.slice(left).join('\n') : lines.join('\n');
  const parts = Anser.ansiToJson(shown, { use_classes: true, remove_empty: true, json: true }).map(
    ({ content, fg, bg, decorations }) => ({
      content,
      classes: [
        fg && className('fg', fg),
        bg && className('bg', bg),
        ...decorations.map((decoration) => `ansi-${decoration}`),
      ]
        .filter(Boolean)
        .join(' '),
    }),
  );
  return left > 0 ? [{ content: `… ${left} lines before\n`, classes: 'faint' }, ...parts] : parts;
}

function className(ground: string, colour: string): string {
  return /^ansi-[\w-]+$/.test(colour) ? `${ground}-${colour}` : '';
}

/** A carriage return begins the line anew, as progress bars do. */
function overwritten(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(/[^\n]*\r(?!\n)/g, '');
}
