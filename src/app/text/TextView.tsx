import { useMemo } from 'react';
import { liveParts, type LiveSource } from '../../notebook/liveValues';
import { markdownTokens } from './markdown';
import { markdownNodes } from './markdownNodes';
import { withPlaceholders } from './placeholders';

interface TextViewProps {
  /** Markdown with live values. */
  readonly source: string;
  /** A new object when values may have changed. */
  readonly live: LiveSource;
}

/** A text cell as it is read. */
export function TextView({ source, live }: TextViewProps) {
  const parts = useMemo(() => liveParts(source, live), [source, live]);
  // The tokens know the values by number only, so new values cost no parsing.
  const withoutValues = withPlaceholders(parts);
  const tokens = useMemo(() => markdownTokens(withoutValues), [withoutValues]);
  return <div className="text-view">{markdownNodes(tokens, parts)}</div>;
}
