import { createElement, Fragment, type ReactNode } from 'react';
import type { LivePart } from '../../notebook/liveValues';
import { Formula } from './Formula';
import { LiveValue } from './LiveValue';
import type { Token } from './markdown';
import { asTyped, piecesOf } from './placeholders';

/** What is open while tokens are read, and what it holds so far. */
interface Open {
  readonly token: Token | null;
  readonly children: ReactNode[];
}

/** Tokens as React elements, live values in their places. Only the elements listed here come out, with attributes made here. */
export function markdownNodes(
  tokens: readonly Token[],
  parts: readonly LivePart[],
): readonly ReactNode[] {
  const open: Open[] = [{ token: null, children: [] }];
  for (const token of tokens) {
    if (token.nesting === 1) {
      open.push({ token, children: [] });
      continue;
    }
    const closed = token.nesting === -1 && open.length > 1 ? open.pop() : undefined;
    const { children } = open.at(-1)!;
    const node = closed ? elementOf(closed, parts) : leafOf(token, parts);
    children.push(<Fragment key={children.length}>{node}</Fragment>);
  }
  return open.flatMap(({ children }) => children);
}

/** The page has its own h1. */
const headings = { h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6', h6: 'h6' } as const;

const plainTags: ReadonlySet<string> = new Set([
  'p',
  'ul',
  'li',
  'blockquote',
  'em',
  'strong',
  's',
  'thead',
  'tbody',
  'tr',
]);

/** What scrolls has to be reachable by keyboard, although nothing in it can be pressed. */
const reachable = { tabIndex: 0 };

function elementOf({ token, children }: Open, parts: readonly LivePart[]): ReactNode {
  if (token === null || token.hidden) return <>{children}</>;
  const { tag } = token;
  if (plainTags.has(tag)) return createElement(tag, null, children);
  if (isHeading(tag)) return createElement(headings[tag], null, children);
  switch (tag) {
    case 'ol':
      return <ol start={Number(token.attrGet('start') ?? 1)}>{children}</ol>;
    case 'table':
      return (
        <section className="text-table" aria-label="Table" {...reachable}>
          <table>{children}</table>
        </section>
      );
    case 'th':
    case 'td':
      return createElement(tag, { 'data-align': alignmentOf(token) }, children);
    case 'a':
      return (
        <Link token={token} parts={parts}>
          {children}
        </Link>
      );
    default:
      return <>{children}</>;
  }
}

function isHeading(tag: string): tag is keyof typeof headings {
  return Object.hasOwn(headings, tag);
}

function textOf(token: Token, attribute: string): string | undefined {
  const value = token.attrGet(attribute);
  return value === null ? undefined : String(value);
}

function alignmentOf(token: Token): string | undefined {
  return /^text-align:(left|center|right)$/.exec(textOf(token, 'style') ?? '')?.[1];
}

interface LinkProps {
  readonly token: Token;
  readonly parts: readonly LivePart[];
  readonly children: ReactNode;
}

/** Opens elsewhere, and tells nobody where from. Its address has passed `isAddress`. */
function Link({ token, parts, children }: LinkProps) {
  const title = textOf(token, 'title');
  return (
    <a
      href={textOf(token, 'href')}
      title={title === undefined ? undefined : asTyped(title, parts)}
      target="_blank"
      rel="noopener noreferrer"
    >
      {children}
    </a>
  );
}

function leafOf(token: Token, parts: readonly LivePart[]): ReactNode {
  switch (token.type) {
    case 'inline':
      return <>{markdownNodes(token.children ?? [], parts)}</>;
    case 'softbreak':
      return '\n';
    case 'hardbreak':
      return <br />;
    case 'hr':
      return <hr />;
    case 'code_inline':
      return <code>{asTyped(token.content, parts)}</code>;
    case 'fence':
    case 'code_block':
      return (
        <pre {...reachable}>
          <code>{asTyped(token.content, parts)}</code>
        </pre>
      );
    case 'math':
    case 'mathBlock':
      return (
        <Formula content={token.content} parts={parts} isDisplay={token.markup.length === 2} />
      );
    case 'image':
      return <Image token={token} parts={parts} />;
    default:
      return <Text text={token.content} parts={parts} />;
  }
}

/** A picture would be a request to somewhere: its description stands in its place. */
function Image({ token, parts }: { readonly token: Token; readonly parts: readonly LivePart[] }) {
  return (
    <span className="text-image">
      [image: <Text text={token.content} parts={parts} />]
    </span>
  );
}

function Text({ text, parts }: { readonly text: string; readonly parts: readonly LivePart[] }) {
  const nodes: ReactNode[] = [];
  for (const piece of piecesOf(text, parts))
    nodes.push(typeof piece === 'string' ? piece : <LiveValue key={nodes.length} part={piece} />);
  return nodes;
}
