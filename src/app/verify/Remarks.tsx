/** What has to be known, a sentence a line. */
export function Remarks({ texts }: { readonly texts: readonly string[] }) {
  return (
    <ul className="verification-notes">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
