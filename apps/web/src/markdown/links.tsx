import { type ReactNode, useState } from 'react';

/** A link of an agent: only to pages and mail, with its address shown, and nothing about this page given to the one it leads to. */
export function Link({ href, children }: { readonly href: string; readonly children: ReactNode }): ReactNode {
  if (!/^(https?|mailto):/i.test(href))
    return (
      <span className="no-link" title={href}>
        {children}
      </span>
    );
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {children}
    </a>
  );
}

/** A picture on another server, which learns of the reader only when the reader wants it. */
export function RemoteImage({ href, text }: { readonly href: string; readonly text: string }): ReactNode {
  const [isWanted, setWanted] = useState(false);
  if (/^data:image\/(png|jpeg|gif|webp);base64,/i.test(href) || (isWanted && /^https?:/i.test(href)))
    return <img className="picture" src={href} alt={text} referrerPolicy="no-referrer" />;
  return (
    <button type="button" className="chip" title={href} onClick={() => setWanted(true)}>
      Load the picture {text === '' ? '' : `“${text}” `}from {hostOf(href)}
    </button>
  );
}

function hostOf(href: string): string {
  return URL.canParse(href) ? new URL(href).host : 'an address that is none';
}
