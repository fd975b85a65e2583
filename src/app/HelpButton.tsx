import { useId, useState } from 'react';
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
  const [isOpen, setOpen] = useState(false);
  const open = (): void => setOpen(true);
  const close = (): void => setOpen(false);
  return (
    <span className="help" onPointerEnter={open} onPointerLeave={close}>
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
      <span role="tooltip" id={id} className="help-text" data-open={isOpen}>
        {text}
      </span>
    </span>
  );
}
