import type { PermissionFacts } from '@turnwire/client/view';
import type { ShownPath } from '@turnwire/protocol';
import { type ReactNode, useState } from 'react';
import { CopyButton } from '../parts/copy-button.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { FileDiff } from '../transcript/file-diff.tsx';
import { Unfolded } from '../transcript/use-fold.ts';

/** Everything that the user allows or rejects. Texts of the agent are marked as such. */
export function Facts({ facts }: { readonly facts: PermissionFacts }): ReactNode {
  const { child, command, folder, namedCommands, url, tool, paths, diffs, input, notes, reason, agentWords } = facts;
  // Each question starts folded.
  const [unfolded] = useState(() => new Map<string, unknown>());
  return (
    <Unfolded value={unfolded}>
      {child && (
        <p className="asked-by">
          Asked by the subagent{' '}
          <strong>
            <VisibleText text={child.name} />
          </strong>
          {child.title !== undefined && (
            <>
              , working on <VisibleText text={child.title} />
            </>
          )}
        </p>
      )}
      {command !== undefined && <Exact text={command} what="command" />}
      {folder !== undefined && (
        <p className="faint">
          in <VisibleText text={folder} />
        </p>
      )}
      {namedCommands.length > 0 && <p className="faint">Its input contains these commands:</p>}
      {namedCommands.map((line, index) => (
        <Exact key={index} text={line} what="command" />
      ))}
      {url !== undefined && <Exact text={url} what="address" />}
      {tool !== undefined && (
        <p>
          Tool: <VisibleText text={tool} />
        </p>
      )}
      {notes.map((note, index) => (
        <p key={index} className="caution">
          <VisibleText text={note} />
        </p>
      ))}
      {paths.length > 0 && (
        <ul className="locations">
          {paths.map((path, index) => (
            <Path key={index} path={path} />
          ))}
        </ul>
      )}
      {diffs.map((diff, index) => (
        <FileDiff key={index} index={index} diff={diff} />
      ))}
      {input !== undefined && (
        <pre className="raw">
          <VisibleText text={input} />
        </pre>
      )}
      <AgentWords words={agentWords} />
      {reason !== '' && (
        <details className="why">
          <summary>Why you are asked</summary>
          <p className="faint">
            <VisibleText text={reason} />
          </p>
        </details>
      )}
    </Unfolded>
  );
}

function Exact({ text, what }: { readonly text: string; readonly what: string }): ReactNode {
  return (
    <div className="to-copy">
      <pre className="command-line">
        <VisibleText text={text} />
      </pre>
      <CopyButton text={text} label={`Copy the ${what}`} />
    </div>
  );
}

function Path({ path: { path, leadsTo, caution } }: { readonly path: ShownPath }): ReactNode {
  return (
    <li>
      <VisibleText text={path} />
      {leadsTo !== undefined && (
        <strong className="caution">
          {' '}
          leads to <VisibleText text={leadsTo} />
        </strong>
      )}
      {caution !== undefined && <strong className="caution"> {caution}</strong>}
    </li>
  );
}

function AgentWords({ words: { title, texts } }: { readonly words: PermissionFacts['agentWords'] }): ReactNode {
  const said = title === undefined ? texts : [title, ...texts];
  if (said.length === 0) return null;
  return (
    <figure className="agent-words">
      <figcaption className="faint">The agent says:</figcaption>
      {said.map((text, index) => (
        <pre key={index} className="raw">
          <VisibleText text={text} />
        </pre>
      ))}
    </figure>
  );
}
