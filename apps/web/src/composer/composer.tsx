import type { ContentBlock } from '@turnwire/protocol';
import { memo, type ReactNode, useRef, useState } from 'react';
import { Failure } from '../parts/failure.tsx';
import { Icon } from '../parts/icon.tsx';
import type { SessionStore } from '../state/session-store.ts';
import { inLines, typedIn } from '../state/prompt-text.ts';
import { useStorePart } from '../state/use-store.ts';
import { promptOf } from './attachments.ts';
import { PromptEditor } from './prompt-editor.tsx';
import { Settings } from './settings.tsx';
import { type Attachments, useAttachments } from './use-attachments.ts';
import { useFiles } from './use-files.ts';
import { useDrop } from './use-drop.ts';
import { WaitingPrompts } from './waiting-prompts.tsx';

/** The editor of the next prompt with its attachments, the queued prompts, and the settings of the session. */
export const Composer: React.FunctionComponent<{ readonly session: SessionStore }> = memo(function Composer({
  session,
}) {
  const workingSince = useStorePart(session.state, (state) => state.workingSince);
  const commands = useStorePart(session.state, ({ view }) => view.commands);
  const [text, draw] = useState(session.draft);
  const setText = (next: string): void => {
    session.draft = next;
    draw(next);
  };
  const attachments = useAttachments(session);
  const { files, failure } = useFiles(session.cwd, text);
  const hint = commands.find(({ name }) => text === `/${name} `)?.input?.hint;
  /** Inserts a queued or cancelled prompt before the text in the editor. */
  const takeBack = (content: readonly ContentBlock[]): void => {
    setText([typedIn(content), session.draft].filter((part) => part !== '').join('\n'));
    attachments.restore(content);
  };
  const stop =
    workingSince === undefined
      ? undefined
      : () => void session.prompts.stop().then((taken) => takeBack(inLines(taken)));
  const isDropping = useDrop((dropped) => void attachments.add(dropped));
  const send = (): void => {
    const prompt = promptOf(text, { files, folder: session.cwd, attachments: attachments.list });
    if (prompt.length === 0) return;
    session.prompts.add(prompt);
    setText('');
    attachments.clear();
  };
  return (
    <div className="composer">
      {isDropping && <p className="drop-place">Drop the files to attach them</p>}
      <WaitingPrompts session={session} onEdit={takeBack} />
      <Attached attachments={attachments} />
      <Failure text={failure} />
      <div className="editor">
        <FilePicker onFiles={(chosen) => void attachments.add(chosen)} />
        <PromptEditor
          session={session}
          text={text}
          files={files}
          onText={setText}
          onSend={send}
          onStop={stop}
          onFiles={(pasted) => void attachments.add([...pasted])}
        />
        {stop && (
          <button type="button" className="round stop" aria-label="Cancel the turn" onClick={stop}>
            <Icon name="stop" />
          </button>
        )}
        <button
          type="button"
          className="round send"
          aria-label={workingSince === undefined ? 'Send' : 'Queue'}
          disabled={text.trim() === '' && attachments.list.length === 0}
          onClick={send}
        >
          <Icon name="send" />
        </button>
      </div>
      {hint !== undefined && <p className="faint">{hint}</p>}
      <Settings session={session} />
    </div>
  );
});

function Attached({ attachments: { list, failure, remove } }: { readonly attachments: Attachments }): ReactNode {
  return (
    <>
      {list.length > 0 && (
        <ul className="attachments" aria-label="Attached">
          {list.map(({ key, name }) => (
            <li key={key} className="chip">
              {name}
              <button type="button" className="bare" aria-label={`Remove ${name}`} onClick={() => remove(key)}>
                <Icon name="cross" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Failure text={failure} />
    </>
  );
}

function FilePicker({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }): ReactNode {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className="round quiet" aria-label="Attach files" onClick={() => picker.current?.click()}>
        <Icon name="attach" />
      </button>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </>
  );
}
