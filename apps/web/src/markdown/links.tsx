import type { ReactNode } from 'react';
import { VisibleText } from '../parts/visible-text.tsx';

/** A link of an agent: only to pages and mail, with its address shown, and nothing about this page given to the one it leads to. */
export function Link({
  href,
  text,
  children,
}: {
  readonly href: string;
  /** What it shows, in one piece. */
  readonly text: string;
  readonly children: ReactNode;
}): ReactNode {
  if (!/^(https?|mailto):/i.test(href))
    return (
      <span className="no-link" title={href}>
        {children}
      </span>
    );
  const isAddress = /\w\.\w/.test(text);
  return (
    <>
      <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow ugc">
        {isAddress ? <VisibleText text={text} isProse /> : children}
      </a>
      {/* A text that reads like an address may not hide another one, also where nothing hovers. */}
      {isAddress && !text.includes(hostOf(href)) && <span className="faint"> ({hostOf(href)})</span>}
    </>
  );
}

/** A picture. The policy of the page loads none of other servers, which would learn of the reader: those are links. */
export function Picture({ href, text }: { readonly href: string; readonly text: string }): ReactNode {
  if (/^data:image\/(png|jpeg|gif|webp);base64,/i.test(href)) return <img className="picture" src={href} alt={text} />;
  const name = `Picture${text === '' ? '' : ` “${text}”`} at ${hostOf(href)}`;
  return (
    <Link href={href} text="">
      {name}
    </Link>
  );
}

function hostOf(href: string): string {
  return (URL.canParse(href) && new URL(href).host) || href;
}
