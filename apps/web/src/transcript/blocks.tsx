import type { ContentBlock } from '@turnwire/protocol';
import { type ReactNode, useRef, useState } from 'react';
import { Markdown } from '../markdown/markdown.tsx';

/** The content of a message. */
export function Blocks({
  content,
  isOpen,
  isPlain = false,
}: {
  readonly content: readonly ContentBlock[];
  /** Whether more text may follow. */
  readonly isOpen: boolean;
  /** Whether text is shown as typed. */
  readonly isPlain?: boolean;
}): ReactNode {
  return content.map((block, index) => (
    // Blocks never move.
    <Block key={index} block={block} isOpen={isOpen} isPlain={isPlain} />
  ));
}

function Block({
  block,
  isOpen,
  isPlain,
}: {
  readonly block: ContentBlock;
  readonly isOpen: boolean;
  readonly isPlain: boolean;
}): ReactNode {
  switch (block.type) {
    case 'text':
      return isPlain ? (
        <p className="plain" dir="auto">
          {block.text}
        </p>
      ) : (
        <Markdown text={block.text} isOpen={isOpen} />
      );
    case 'image':
    case 'audio':
      return <Media {...block} />;
    case 'resource_link':
      return <span className="chip">{block.title ?? block.name}</span>;
    case 'resource':
      return (
        <details className="fold">
          <summary>{block.resource.uri}</summary>
          <pre>{'text' in block.resource ? block.resource.text : 'Not text.'}</pre>
        </details>
      );
    default:
      return <pre className="fold">{JSON.stringify(block, null, 2)}</pre>;
  }
}

/** A picture or a sound from inline data: no address of an agent is fetched. */
function Media({
  type,
  mimeType,
  data,
}: {
  readonly type: 'image' | 'audio';
  readonly mimeType: string;
  readonly data: string;
}): ReactNode {
  const isReadable = /^(?:image|audio)\/[\w.+-]+$/.test(mimeType) && /^[\w+/-]+={0,2}$/.test(data);
  if (!isReadable)
    return <span className="chip">{type === 'image' ? 'A picture' : 'A sound'} that cannot be read</span>;
  const address = `data:${mimeType};base64,${data}`;
  return type === 'image' ? <Picture address={address} /> : <audio controls aria-label="A sound" src={address} />;
}

/** A picture, which a click shows as large as the window. */
function Picture({ address }: { readonly address: string }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isLarge, setLarge] = useState(false);
  const enlarge = (): void => {
    dialog.current?.showModal();
    setLarge(true);
  };
  return (
    <>
      <button type="button" className="picture-button" aria-label="Show the picture larger" onClick={enlarge}>
        <img className="picture" alt="" src={address} />
      </button>
      <dialog ref={dialog} className="lightbox" aria-label="Picture" closedby="any" onClose={() => setLarge(false)}>
        {isLarge && <img alt="" src={address} />}
        <button type="button" className="plain-button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </dialog>
    </>
  );
}
