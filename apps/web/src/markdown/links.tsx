import type { ReactNode } from 'react';
import { VisibleText } from '../parts/visible-text.tsx';

/**
 * A link in an agent's text. Only web pages and mail addresses become links; the address is shown, and the target learns nothing about this
 * page.
 */
export function Link({
  href,
  text,
  children,
}: {
  readonly href: string;
  /** Its label as plain text. */
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
      {/* A label that looks like an address must not hide another one, even without hovering. */}
      {isAddress && !text.includes(hostOf(href)) && <span className="faint"> ({hostOf(href)})</span>}
    </>
  );
}

/** A picture. The content security policy blocks pictures from other servers, which could track the reader, so those become links. */
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
