const shapes = {
  run: <path d="M4.5 2.8v10.4L13 8z" />,
  pause: <path d="M4 3h3v10H4zM9 3h3v10H9z" />,
  step: <path d="M3 2.8v10.4L9.8 8zM11 3h2v10h-2z" />,
  stop: <path d="M3.5 3.5h9v9h-9z" />,
  reset: (
    <path d="M8 3a5 5 0 1 1-4.9 6h1.6A3.5 3.5 0 1 0 8 4.5H6.6l1.6 1.7-1 1L3.8 3.8 7.2.3l1 1L6.6 3z" />
  ),
  share: (
    <path d="M8 1 4.6 4.4l1 1L7.3 3.7V10h1.4V3.7l1.7 1.7 1-1zM2.5 8h1.4v5.1h8.2V8h1.4v6.5h-11z" />
  ),
  open: <path d="M1.5 3h5l1.4 1.5h6.6V13h-13zm1.4 1.4v7.2h10.2V5.9H7.3L5.9 4.4z" />,
  download: (
    <path d="M7.3 1.5h1.4v6.3l1.7-1.7 1 1L8 10.5 4.6 7.1l1-1 1.7 1.7zM2.5 10h1.4v3.1h8.2V10h1.4v4.5h-11z" />
  ),
  theme: (
    <path
      fillRule="evenodd"
      d="M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M8 2.9v10.2A5.1 5.1 0 0 1 8 2.9"
    />
  ),
  undo: (
    <path d="M5.7 2.6 2.2 6l3.5 3.4 1-1L4.9 6.7h4.6a2.8 2.8 0 1 1 0 5.6H6v1.4h3.5a4.2 4.2 0 1 0 0-8.4H4.9l1.8-1.7z" />
  ),
  remove: <path d="m4 3 4 4 4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4-4-4z" />,
  add: <path d="M7.3 2.5h1.4v4.8h4.8v1.4H8.7v4.8H7.3V8.7H2.5V7.3h4.8z" />,
  handle: (
    <path d="M5.2 3h1.8v1.8H5.2zm3.8 0h1.8v1.8H9zM5.2 7.1h1.8v1.8H5.2zm3.8 0h1.8v1.8H9zm-3.8 4.1h1.8V13H5.2zm3.8 0h1.8V13H9z" />
  ),
  edit: (
    <path d="M11.4 1.8 14.2 4.6 5.3 13.5l-3.6.8.8-3.6zm0 2L3.8 11.4l-.3 1.1 1.1-.3L12.2 4.6z" />
  ),
  menu: <path d="M2 3.3h12v1.4H2zm0 4h12v1.4H2zm0 4h12v1.4H2z" />,
  check: <path d="M6.4 12.6 2.2 8.4l1.1-1.1 3.1 3.1 6.3-6.4 1.1 1.1z" />,
  help: (
    <path d="M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13m0 1.2a5.3 5.3 0 1 0 0 10.6A5.3 5.3 0 0 0 8 2.7M7.4 10.4h1.3v1.3H7.4zM8 4.3c1.4 0 2.3.8 2.3 1.9 0 .9-.5 1.4-1.1 1.8-.5.4-.6.6-.6 1.3H7.4c0-1.2.3-1.7 1-2.2.5-.3.7-.5.7-.9s-.4-.8-1.1-.8c-.8 0-1.2.4-1.2 1.1H5.6c0-1.3.9-2.2 2.4-2.2" />
  ),
  warning: (
    <path d="M8 1.5 15.2 14H.8zm0 2.8L3.2 12.6h9.6zM7.3 6.5h1.4v3.2H7.3zm0 4h1.4v1.3H7.3z" />
  ),
} as const;

/** A 16-pixel picture beside a text or inside a button with a name of its own; silent for screen readers. */
export function Icon({ name }: { readonly name: keyof typeof shapes }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      {shapes[name]}
    </svg>
  );
}
