import Anser from 'anser';
import { terminalSequence } from '@turnwire/client/unseen-characters';
import { type CSSProperties, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { CopyButton } from '../parts/copy-button.tsx';
import { VisibleText } from '../parts/visible-text.tsx';

/** The maximum number of lines shown until the user expands an output. */
const mostLines = 400;

/** The output of a command, in colour. Other control sequences are removed. */
export function Output({ text }: { readonly text: string }): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const lines = useMemo(() => finalLines(text), [text]);
  const hidden = isWhole ? 0 : Math.max(0, lines.length - mostLines);
  const parts = useMemo(() => coloured(lines.slice(hidden).join('\n')), [lines, hidden]);
  const box = useRef<HTMLPreElement>(null);
  // Errors are usually at the end.
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
      {/* The focus lets the keyboard scroll a long output. */}
      <div className="output-box">
        <pre ref={box} className="output" tabIndex={0} role="region" aria-label="Output">
          {parts.map(({ content, classes, style }, index) => (
            <span key={index} className={classes} style={style}>
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
  /** Colours other than the sixteen of the theme. */
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

/** One of the 256 colours, or an RGB colour. */
function exactColour(name: string, exact: string): string | undefined {
  if (name === 'ansi-truecolor') return `rgb(${exact})`;
  const [, number] = /^ansi-palette-(\d+)$/.exec(name ?? '') ?? [];
  if (number === undefined) return undefined;
  const index = Number(number) - 16;
  const grey = 8 + 10 * (index - 216);
  if (index >= 216) return `rgb(${grey}, ${grey}, ${grey})`;
  const steps = [index / 36, (index / 6) % 6, index % 6].map((step) => Math.floor(step));
  return `rgb(${steps.map((step) => (step === 0 ? 0 : 55 + 40 * step)).join(', ')})`;
}

// oxlint-disable-next-line no-control-regex -- the escape begins a colour
const colourSequence = /^(?:\x1b\[|\x9b)[\d;:]*m$/;

/**
 * The lines as a terminal finally shows them: only colour sequences remain, and a carriage return overwrites its line, as in progress bars.
 */
function finalLines(text: string): readonly string[] {
  const plain = text.replace(terminalSequence, (sequence) => (colourSequence.test(sequence) ? sequence : ''));
  return plain.split('\n').map((line) => {
    const end = line.replace(/\r+$/, '');
    return overstruck(end.slice(end.lastIndexOf('\r') + 1));
  });
}

/** Applies backspaces, each of which erases the character before it, as in `man` pages. */
function overstruck(line: string): string {
  if (!line.includes('\b')) return line;
  const kept: string[] = [];
  for (const character of line)
    if (character === '\b') kept.pop();
    else kept.push(character);
  return kept.join('');
}
