import type { TerminalView, ToolCallEntry } from '@turnwire/client/transcript';
import { isChange } from '@turnwire/client/view';
import type { ToolCallContent } from '@turnwire/protocol';
import { type ReactNode, lazy, Suspense } from 'react';
import { CopyButton } from '../parts/copy-button.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { Blocks } from './blocks.tsx';

const FileDiff = lazy(() => import('./file-diff.tsx').then(({ FileDiff: component }) => ({ default: component })));
const Output = lazy(() => import('./output.tsx').then(({ Output: component }) => ({ default: component })));

/** The changes and the output of a tool call. */
export function ToolContent({
  entry,
  terminals,
  isTitled,
}: {
  readonly entry: ToolCallEntry;
  readonly terminals: ReadonlyMap<string, TerminalView> | undefined;
  /** Whether the line of the call names the file of its change. */
  readonly isTitled: boolean;
}): ReactNode {
  const { output = '', isOutputCut, command } = entry;
  const content = entry.content.filter((item) => !isChange(item));
  const hasText = content.some(({ type }) => type === 'content');
  const hasTerminal = content.some(({ type }) => type === 'terminal');
  // The content of a command repeats its output.
  const hasOutput = output !== '' && !hasTerminal && (command !== undefined || !hasText);
  const shown = content.filter(({ type }) => !(hasOutput && type === 'content'));
  return (
    <Suspense fallback={<p className="faint">Loading…</p>}>
      {shown.map((each, index) => (
        <Content key={index} index={index} content={each} terminals={terminals} isTitled={isTitled} />
      ))}
      {content.length === 0 && !(hasOutput && command !== undefined) && (
        <Raw input={entry.rawInput} output={hasOutput ? undefined : entry.rawOutput} />
      )}
      {hasOutput && isOutputCut && <LeftOut />}
      {hasOutput && <Output text={output} />}
    </Suspense>
  );
}

function Content({
  content,
  index,
  terminals,
  isTitled,
}: {
  readonly content: ToolCallContent;
  readonly isTitled: boolean;
  readonly index: number;
  readonly terminals: ReadonlyMap<string, TerminalView> | undefined;
}): ReactNode {
  switch (content.type) {
    case 'diff':
      return <FileDiff diff={content} index={index} isTitled={isTitled} />;
    case 'terminal': {
      const terminal = terminals?.get(content.terminalId);
      return terminal ? <Terminal terminal={terminal} /> : <p className="faint">A terminal.</p>;
    }
    case 'content':
      return <Blocks content={[content.content]} isOpen={false} />;
    default:
      return <pre className="fold">{JSON.stringify(content, null, 2)}</pre>;
  }
}

function LeftOut(): ReactNode {
  return <p className="faint">The beginning was left out.</p>;
}

function Terminal({ terminal }: { readonly terminal: TerminalView }): ReactNode {
  const { command, output, truncated, exitCode, signal, isRunning } = terminal;
  const end = signal ? `Ended by ${signal}.` : exitCode ? `Exit code ${exitCode}.` : '';
  return (
    <figure className="terminal">
      <figcaption className="to-copy">
        <VisibleText text={command} />
        <CopyButton text={command} label="Copy the command" />
      </figcaption>
      {truncated && <LeftOut />}
      <Output text={output} />
      {!isRunning && end !== '' && <p className="faint">{end}</p>}
    </figure>
  );
}

function Raw({ input, output }: { readonly input: unknown; readonly output: unknown }): ReactNode {
  const parts = [input, output].filter((part) => part !== undefined && part !== null);
  return parts.map((part, index) => (
    <pre key={index} className="raw">
      <VisibleText text={typeof part === 'string' ? part : JSON.stringify(part, null, 2)} isProse />
    </pre>
  ));
}
