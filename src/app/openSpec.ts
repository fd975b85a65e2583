import { parseSpec } from '../config/parseSpec';
import { decodeShareLink } from '../config/shareLink';
import type { ParsedNotebook } from '../notebook/parseNotebook';
import { decodeNotebookLink, isNotebookLink } from '../notebook/notebookLink';
import type { ParsedNotebookFile } from '../notebook/notebookFile';
import { openNotebook, openSpec, refuse } from './openDocument';
import type { SpecOrigin } from './specState';

/** No notebook with its results comes near; a larger file is refused unread. Unit: bytes. */
const maxFileBytes = 64 << 20;

type Opened =
  | { readonly kind: 'spec'; readonly parsed: ReturnType<typeof parseSpec> }
  | { readonly kind: 'notebook'; readonly parsed: ParsedNotebookFile };

/** Opens what a link describes, or says why not. Nothing is run. */
export function openFragment(fragment: string): void {
  open(parseFragment(fragment), 'The link', { kind: 'link' });
}

function parseFragment(fragment: string): Opened {
  return isNotebookLink(fragment)
    ? { kind: 'notebook', parsed: fileOf(decodeNotebookLink(fragment)) }
    : { kind: 'spec', parsed: decodeShareLink(fragment) };
}

/** Opens a notebook, a specification, an archive or a figure from a file, or says why not. Nothing is run. */
export async function openFile(file: File): Promise<void> {
  open(await parseFile(file), `The file ${file.name}`, { kind: 'file', name: file.name });
}

function open(opened: Opened, source: string, origin: SpecOrigin): void {
  const { parsed } = opened;
  if (!parsed.ok) refuse(source, parsed.issues);
  else if ('spec' in parsed) openSpec(parsed.spec, source, origin);
  else openNotebook(parsed, source);
}

async function parseFile(file: File): Promise<Opened> {
  if (file.size > maxFileBytes)
    return refusal(
      `${file.size} bytes came, expected at most ${maxFileBytes}: choose a file as Marlbook saves it.`,
    );
  const bytes = new Uint8Array(await file.arrayBuffer());
  switch (fileKind(bytes)) {
    case 'archive':
      return parseArchiveFile(bytes);
    case 'figure':
      return parseFigure(bytes);
    case 'text':
      return parseJson(new TextDecoder().decode(bytes));
  }
}

/** By what it begins with: names can say anything. */
function fileKind(bytes: Uint8Array): 'archive' | 'figure' | 'text' {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return 'archive';
  const isPng = bytes[0] === 0x89 && bytes[1] === 0x50;
  const isMarkup = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart().startsWith('<');
  return isPng || isMarkup ? 'figure' : 'text';
}

/** The notebook of an archive, with its results. */
async function parseArchiveFile(bytes: Uint8Array): Promise<Opened> {
  const [{ parseArchive }, { parseNotebookFile }] = await Promise.all([
    import('../interop/parseArchive'),
    import('../notebook/notebookFile'),
  ]);
  const archive = parseArchive(bytes);
  if (!archive.ok) return { kind: 'notebook', parsed: archive };
  return { kind: 'notebook', parsed: parseNotebookFile(archive.value.notebook) };
}

/** The notebook that a figure was drawn in, without its results: a figure carries a link. */
async function parseFigure(bytes: Uint8Array): Promise<Opened> {
  const { readFigureProof } = await import('../interop/readFigureProof');
  const proof = readFigureProof(bytes);
  return proof.ok
    ? parseFragment(proof.value.link)
    : { kind: 'spec', parsed: { ok: false, issues: proof.issues } };
}

async function parseJson(text: string): Promise<Opened> {
  try {
    const data: unknown = JSON.parse(text);
    if (!isNotebookData(data)) return { kind: 'spec', parsed: parseSpec(data) };
    // Reading recordings is not part of the first load.
    const { parseNotebookFile } = await import('../notebook/notebookFile');
    return { kind: 'notebook', parsed: parseNotebookFile(data) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refusal(`It is no JSON (${error.message}): choose a file as Marlbook saves it.`);
  }
}

/** A link carries no results. */
function fileOf(parsed: ParsedNotebook): ParsedNotebookFile {
  return parsed.ok ? { ...parsed, recordings: new Map() } : parsed;
}

/** A notebook has cells, or comes with its results; a specification has none. */
function isNotebookData(data: unknown): boolean {
  return (
    typeof data === 'object' &&
    data !== null &&
    (Object.hasOwn(data, 'cells') || Object.hasOwn(data, 'notebook'))
  );
}

function refusal(message: string): Opened {
  return { kind: 'spec', parsed: { ok: false, issues: [{ path: 'file', message }] } };
}
