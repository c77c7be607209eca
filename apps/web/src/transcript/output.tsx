import Anser from 'anser';
import { terminalSequence } from '@turnwire/client/unseen-characters';
import { type ReactNode, useMemo, useState } from 'react';
import { CopyButton } from '../parts/copy-button.tsx';
import { VisibleText } from '../parts/visible-text.tsx';

/** Lines shown of an output until the user asks for all. */
const mostLines = 400;

/** What a command printed, with its colours. Control sequences other than colours are left out. */
export function Output({ text }: { readonly text: string }): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const lines = useMemo(() => finalLines(text), [text]);
  const hidden = isWhole ? 0 : Math.max(0, lines.length - mostLines);
  const parts = useMemo(() => coloured(lines.slice(hidden).join('\n')), [lines, hidden]);
  return (
    <>
      {hidden > 0 && (
        <button type="button" className="bare" onClick={() => setWhole(true)}>
          Show {hidden} lines before
        </button>
      )}
      {/* Long output is scrolled with the keyboard too. */}
      <div className="output-box">
        <pre className="output" tabIndex={0} role="region" aria-label="Output">
          {parts.map(({ content, classes }, place) => (
            <span key={place} className={classes}>
              <VisibleText text={content} isProse />
            </span>
          ))}
        </pre>
        <CopyButton text={() => lines.join('\n').replace(terminalSequence, '')} label="Copy the output" />
      </div>
    </>
  );
}

interface OutputPart {
  readonly content: string;
  readonly classes: string;
}

function coloured(text: string): readonly OutputPart[] {
  return Anser.ansiToJson(text, { use_classes: true, remove_empty: true, json: true }).map(
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
}

function className(ground: string, colour: string): string {
  return /^ansi-[\w-]+$/.test(colour) ? `${ground}-${colour}` : '';
}

// oxlint-disable-next-line no-control-regex -- the escape begins a colour
const colourSequence = /^(?:\x1b\[|\x9b)[\d;:]*m$/;

/** The lines as a terminal shows them in the end: without sequences other than colours; a carriage return overwrites its line, as progress bars do. */
function finalLines(text: string): readonly string[] {
  const plain = text.replace(terminalSequence, (sequence) => (colourSequence.test(sequence) ? sequence : ''));
  return plain.split('\n').map((line) => {
    const end = line.replace(/\r+$/, '');
    return end.slice(end.lastIndexOf('\r') + 1);
  });
}
