import { markdownTokens, type Token, type Tokens, withCharacters } from '@turnwire/client/markdown';
import { createElement, memo, type ReactNode, useMemo, useState } from 'react';
import { CodeBlock } from './code-block.tsx';
import { enclosedTokens, type TagToken } from './enclosed-tokens.ts';
import { GrowingTokens } from './growing-tokens.ts';
import { Link, Picture } from './links.tsx';

/** An agent's text as Markdown. The tokens are drawn as elements and no text is ever parsed as HTML, so that tags stay text. */
export function Markdown({ text, isOpen }: { readonly text: string; readonly isOpen: boolean }): ReactNode {
  const [growing] = useState(() => new GrowingTokens());
  const tokens = useMemo(() => growing.read(text, !isOpen), [growing, text, isOpen]);
  return (
    <div className="markdown" dir="auto">
      {enclosedTokens(tokens).map((token, index) => (
        // Blocks never move, and only the last block of a growing text changes.
        <MarkdownBlock key={index} raw={token.raw} token={token} isLast={isOpen && index === tokens.length - 1} />
      ))}
    </div>
  );
}

const MarkdownBlock = memo(
  ({
    token,
    isLast,
  }: {
    readonly raw: string;
    readonly token: Token | TagToken;
    readonly isLast: boolean;
  }): ReactNode => <Block token={token} isGrowing={isLast} />,
  (one, other) => one.raw === other.raw && one.isLast === other.isLast,
);

interface BlockProps {
  readonly token: Token | TagToken;
  readonly isGrowing?: boolean;
}

function Block({ token, isGrowing = false }: BlockProps): ReactNode {
  if (token.type === 'tag') return <Details tag={token as TagToken} />;
  const each = token as Tokens.Generic & Token;
  switch (each.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading': {
      const { depth, tokens } = each as Tokens.Heading;
      // The page has its own h1 above the headings of messages.
      const Heading = `h${Math.min(6, depth + 1)}` as 'h2';
      return (
        <Heading dir="auto">
          <Inline tokens={tokens} />
        </Heading>
      );
    }
    case 'paragraph':
      return (
        <p dir="auto">
          <Inline tokens={(each as Tokens.Paragraph).tokens} />
        </p>
      );
    case 'code': {
      const { text, lang = '' } = each as Tokens.Code;
      return <CodeBlock code={text} language={lang.split(/\s/, 1)[0] ?? ''} isGrowing={isGrowing} />;
    }
    case 'blockquote':
      return <Quote quote={each as Tokens.Blockquote} />;
    case 'list':
      return <List list={each as Tokens.List} />;
    case 'table':
      return <Table table={each as Tokens.Table} />;
    case 'hr':
      return <hr />;
    case 'html':
      return <p className="plain">{each.raw.trimEnd()}</p>;
    case 'text': {
      const { tokens, text } = each as Tokens.Text;
      return tokens ? <Inline tokens={tokens} /> : text;
    }
    default:
      return <p className="plain">{each.raw}</p>;
  }
}

/** A quotation, or a GitHub alert, whose first line is `[!WARNING]`. */
function Quote({ quote: { text, tokens } }: { readonly quote: Tokens.Blockquote }): ReactNode {
  const [line, kind = ''] = /^\[!(note|tip|important|warning|caution)\][^\S\n]*(?:\n|$)/i.exec(text) ?? [];
  if (line === undefined)
    return (
      <blockquote>
        <BlockList tokens={tokens} />
      </blockquote>
    );
  return (
    <blockquote className={`alert ${kind.toLowerCase()}`}>
      <strong>{kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase()}</strong>
      <BlockList tokens={markdownTokens(text.slice(line.length))} />
    </blockquote>
  );
}

function Details({ tag: { summary = 'Details', tokens } }: { readonly tag: TagToken }): ReactNode {
  return (
    <details>
      <summary>{withCharacters(summary)}</summary>
      <BlockList tokens={tokens} />
    </details>
  );
}

function BlockList({ tokens }: { readonly tokens: readonly Token[] }): ReactNode {
  return enclosedTokens(tokens).map((token, index) => <Block key={index} token={token} />);
}

function List({ list: { ordered, start, items } }: { readonly list: Tokens.List }): ReactNode {
  const drawn = items.map(({ task, checked, tokens }, index) => (
    <li key={index} className={task ? 'task' : undefined} dir="auto">
      {task && <input type="checkbox" checked={checked === true} disabled aria-label={checked ? 'done' : 'open'} />}
      <BlockList tokens={tokens.filter(({ type }) => type !== 'checkbox')} />
    </li>
  ));
  return ordered ? <ol start={start === '' ? 1 : start}>{drawn}</ol> : <ul>{drawn}</ul>;
}

function Table({ table: { header, rows } }: { readonly table: Tokens.Table }): ReactNode {
  return (
    <div className="wide" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {header.map(({ tokens, align }, index) => (
              <th key={index} className={align ?? undefined}>
                <Inline tokens={tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            <tr key={line}>
              {row.map(({ tokens, align }, index) => (
                <td key={index} className={align ?? undefined}>
                  <Inline tokens={tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Inline({ tokens }: { readonly tokens: readonly Token[] }): ReactNode {
  return enclosedTokens(tokens).map((token, index) => <InlinePart key={index} token={token} />);
}

function InlinePart({ token }: { readonly token: Token | TagToken }): ReactNode {
  const each = token as Tokens.Generic & Token;
  const inner = <Inline tokens={(each as { readonly tokens?: readonly Token[] }).tokens ?? []} />;
  switch (each.type) {
    case 'tag':
      return createElement((token as TagToken).name, undefined, inner);
    case 'strong':
      return <strong>{inner}</strong>;
    case 'em':
      return <em>{inner}</em>;
    case 'del':
      // Users write a single tilde for "about": ~100.
      return each.raw.startsWith('~~') ? <del>{inner}</del> : <>~{inner}~</>;
    case 'codespan':
      return <code dir="ltr">{(each as Tokens.Codespan).text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return (
        <Link href={(each as Tokens.Link).href} text={(each as Tokens.Link).text}>
          {inner}
        </Link>
      );
    case 'image':
      return <Picture href={(each as Tokens.Image).href} text={(each as Tokens.Image).text} />;
    case 'escape':
    case 'text': {
      const { tokens, text } = each as Tokens.Text;
      if (tokens) return <Inline tokens={tokens} />;
      return each.type === 'text' ? withCharacters(text) : text;
    }
    default:
      return /^<br\s*\/?>$/i.test(each.raw) ? <br /> : each.raw;
  }
}
