import type { CSSProperties } from 'react';
import { create } from 'zustand';

/** The token that is pointed at or has the focus, as the line under the episode tells it. */
export const usePointedToken = create<{ readonly text: string | null }>(() => ({ text: null }));

function point(text: string | null): void {
  usePointedToken.setState({ text });
}

interface TintedTokenProps {
  readonly token: string;
  /** 0..1 */
  readonly tint: number;
  /** What the tint stands for, in words. */
  readonly value: string;
}

/**
 * A written token, the more tinted the less its writer expected it; or one that was read, the more the more it bore on what was written.
 * The number is told on hover, on focus and to screen readers.
 */
export function TintedToken({ token, tint, value }: TintedTokenProps) {
  const text = `${token}: ${value}`;
  return (
    <span className="token" style={withTint(tint)} {...pointing(text)}>
      {token}
      <span className="visually-hidden">, {value}; </span>
    </span>
  );
}

/** Nothing can be pressed here, but the number must be reachable without a pointer. */
function pointing(text: string) {
  return {
    tabIndex: 0,
    onPointerEnter: () => point(text),
    onPointerLeave: () => point(null),
    onFocus: () => point(text),
    onBlur: () => point(null),
  };
}

function withTint(tint: number): CSSProperties & Record<'--tint', string> {
  return { '--tint': `${Math.round(100 * tint)}%` };
}
