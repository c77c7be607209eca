import Anser from 'anser';
import { terminalSequence } from '@turnwire/client/unseen-characters';
import { type CSSProperties, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
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
  const box = useRef<HTMLPreElement>(null);
  // What went wrong stands at the end.
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, []);
  return (
    <>
      {hidden > 0 && (
        <button type="button" className="bare" onClick={() => setWhole(true)}>
          Show {hidden} lines before
        </button>
      )}
      {/* Long output is scrolled with the keyboard too. */}
      <div className="output-box">
        <pre ref={box} className="output" tabIndex={0} role="region" aria-label="Output">
          {parts.map(({ content, classes, style }, place) => (
            <span key={place} className={classes} style={style}>
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
  /** Colours that are none of the sixteen that follow the theme. */
  readonly style: CSSProperties;
}

function coloured(text: string): readonly OutputPart[] {
  return Anser.ansiToJson(text, { use_classes: true, remove_empty: true, json: true }).map(
    ({ content, fg, fg_truecolor: exactText, bg, bg_truecolor: exactGround, decorations }) => ({
      content,
      style: { color: exactColour(fg, exactText), backgroundColor: exactColour(bg, exactGround) },
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
  return /^ansi-(?!palette|truecolor)[\w-]+$/.test(colour) ? `${ground}-${colour}` : '';
}

/** A colour of the 256, or one in red, green and blue. */
function exactColour(name: string, exact: string): string | undefined {
  if (name === 'ansi-truecolor') return `rgb(${exact})`;
  const [, number] = /^ansi-palette-(\d+)$/.exec(name ?? '') ?? [];
  if (number === undefined) return undefined;
  const place = Number(number) - 16;
  const grey = 8 + 10 * (place - 216);
  if (place >= 216) return `rgb(${grey}, ${grey}, ${grey})`;
  const steps = [place / 36, (place / 6) % 6, place % 6].map((step) => Math.floor(step));
  return `rgb(${steps.map((step) => (step === 0 ? 0 : 55 + 40 * step)).join(', ')})`;
}

// oxlint-disable-next-line no-control-regex -- the escape begins a colour
const colourSequence = /^(?:\x1b\[|\x9b)[\d;:]*m$/;

/** The lines as a terminal shows them in the end: without sequences other than colours; a carriage return overwrites its line, as progress bars do. */
function finalLines(text: string): readonly string[] {
  const plain = text.replace(terminalSequence, (sequence) => (colourSequence.test(sequence) ? sequence : ''));
  return plain.split('\n').map((line) => {
    const end = line.replace(/\r+$/, '');
    return overstruck(end.slice(end.lastIndexOf('\r') + 1));
  });
}

/** A line in which a backspace takes the character before it away, as in pages of `man`. */
function overstruck(line: string): string {
  if (!line.includes('\b')) return line;
  const kept: string[] = [];
  for (const character of line)
    if (character === '\b') kept.pop();
    else kept.push(character);
  return kept.join('');
}
