/** A text in which what stands between backticks is code, as in the tables of methods. */
export function CodeText({ text }: { readonly text: string }) {
  const [plain = '', code, ...rest] = text.split('`');
  if (code === undefined) return plain;
  return (
    <>
      {plain}
      <code>{code}</code>
      <CodeText text={rest.join('`')} />
    </>
  );
}
