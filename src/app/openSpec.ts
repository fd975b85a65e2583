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
  const opened: Opened = isNotebookLink(fragment)
    ? { kind: 'notebook', parsed: fileOf(decodeNotebookLink(fragment)) }
    : { kind: 'spec', parsed: decodeShareLink(fragment) };
  open(opened, 'The link', { kind: 'link' });
}

/** Opens a notebook or a specification from a file, or says why not. Nothing is run. */
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
  const text = await file.text();
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
