import { Suspense, useId, useRef, useState, type FocusEvent, type ReactNode } from 'react';
import { Icon } from './icons';

interface HelpButtonProps {
  /** What is explained; completes “About …”. */
  readonly subject: string;
  readonly text: string;
  /** What it means at this moment, under the text: short, and drawn only while the box is open. */
  readonly now?: ReactNode;
  /** More of it, under that: scrolls inside the box where it is long. */
  readonly children?: ReactNode;
  /** What `children` are. */
  readonly moreLabel?: string;
}

/** Where the box opens. */
interface Place {
  readonly side: 'closed' | 'below' | 'above';
  /** Unit: CSS px. */
  readonly maxHeight: number;
}

const closed: Place = { side: 'closed', maxHeight: 0 };

/** What scrolls has to be reachable by keyboard, although nothing in it can be pressed. */
const reachable = { tabIndex: 0 };

/**
 * A question mark that explains a setting on hover and on focus. Escape hides the text without moving the pointer;
 * the text can itself be pointed at, and tabbed into where it is long.
 */
export function HelpButton(props: HelpButtonProps) {
  const { subject, text } = props;
  const id = useId();
  const host = useRef<HTMLDivElement>(null);
  const note = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState(closed);
  const isOpen = place.side !== 'closed';
  const open = (): void => {
    if (!isOpen) setPlace(placeOf(host.current, note.current));
  };
  const close = (): void => setPlace(closed);
  const closeIfLeft = (event: FocusEvent): void => {
    if (!event.currentTarget.contains(event.relatedTarget)) close();
  };
  return (
    <div
      ref={host}
      role="presentation"
      className="help"
      onPointerEnter={open}
      onPointerLeave={close}
      onBlur={closeIfLeft}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <button
        type="button"
        className="help-button"
        aria-label={`About ${subject}`}
        aria-describedby={id}
        onFocus={open}
        onClick={open}
      >
        <Icon name="help" />
      </button>
      <div
        ref={note}
        className="help-text"
        data-side={place.side}
        style={isOpen ? { maxHeight: place.maxHeight } : undefined}
      >
        <span role="tooltip" id={id}>
          {text}
        </span>
        {isOpen && <Details {...props} />}
      </div>
    </div>
  );
}

/** What is under the text; may come late. */
function Details({ subject, now, children, moreLabel }: HelpButtonProps) {
  return (
    <>
      {now !== undefined && (
        <Suspense fallback={null}>
          <div className="help-now">{now}</div>
        </Suspense>
      )}
      {children !== undefined && (
        <section
          className="help-more"
          aria-label={moreLabel ?? `Options of ${subject}`}
          {...reachable}
        >
          <Suspense fallback={null}>{children}</Suspense>
        </section>
      )}
    </>
  );
}

/** Between the box and the edge of what can be seen. Unit: CSS px. */
const margin = 8;
/** Height from which a box that scrolls is good to read. Unit: CSS px. */
const readable = 280;

/** Under the row if the text fits there or if there is more room than above; as high as that room. */
function placeOf(host: HTMLElement | null, note: HTMLElement | null): Place {
  const row = note?.offsetParent?.getBoundingClientRect();
  if (host === null || note === null || row === undefined) return closed;
  const [top, bottom] = visibleSpan(host);
  const [above, below] = [row.top - top - margin, bottom - row.bottom - margin];
  const isBelow = below >= Math.max(readable, note.scrollHeight) || below >= above;
  return { side: isBelow ? 'below' : 'above', maxHeight: Math.max(0, isBelow ? below : above) };
}

/** Top and bottom of what can be seen around an element: its pane where that scrolls, less the run strip where that lies over the page. */
function visibleSpan(host: HTMLElement): readonly [number, number] {
  const pane = host.closest('.config, .main');
  const strip = document.querySelector('.run-strip');
  const isCut = pane !== null && getComputedStyle(pane).overflowY !== 'visible';
  const isCovered = strip !== null && getComputedStyle(strip).position === 'fixed';
  const { top, bottom } = isCut
    ? pane.getBoundingClientRect()
    : { top: 0, bottom: window.innerHeight };
  return [
    Math.max(0, top),
    Math.min(bottom, isCovered ? strip.getBoundingClientRect().top : window.innerHeight),
  ];
}
