import { useId, useRef, useState } from 'react';
import { Icon } from './icons';

interface HelpButtonProps {
  /** What is explained; completes “About …”. */
  readonly subject: string;
  readonly text: string;
}

/**
 * A question mark that explains a setting on hover and on focus. Escape hides the text without moving the pointer;
 * the text can itself be pointed at.
 */
export function HelpButton({ subject, text }: HelpButtonProps) {
  const id = useId();
  const host = useRef<HTMLSpanElement>(null);
  const note = useRef<HTMLSpanElement>(null);
  const [side, setSide] = useState<'closed' | 'below' | 'above'>('closed');
  const open = (): void => setSide(hasRoomBelow(host.current, note.current) ? 'below' : 'above');
  const close = (): void => setSide('closed');
  return (
    <span ref={host} className="help" onPointerEnter={open} onPointerLeave={close}>
      <button
        type="button"
        className="help-button"
        aria-label={`About ${subject}`}
        aria-describedby={id}
        onFocus={open}
        onBlur={close}
        onClick={open}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close();
        }}
      >
        <Icon name="help" />
      </button>
      <span ref={note} role="tooltip" id={id} className="help-text" data-side={side}>
        {text}
      </span>
    </span>
  );
}

/** Height that the bars at the bottom of the page take away. Unit: CSS px. */
const bottomBars = 40;

function hasRoomBelow(host: HTMLElement | null, note: HTMLElement | null): boolean {
  if (host === null || note === null) return true;
  const bottom = host.getBoundingClientRect().bottom + note.offsetHeight;
  return bottom < window.innerHeight - bottomBars;
}
