import { parseSpec } from '../config/parseSpec';
import { decodeShareLink } from '../config/shareLink';
import { decodeNotebookLink, isNotebookLink } from '../notebook/notebookLink';
import { parseNotebook, type ParsedNotebook } from '../notebook/parseNotebook';
import { openNotebook, openSpec, refuse } from './openDocument';
import type { SpecOrigin } from './specState';

/** No specification comes near; a larger file is refused unread. Unit: bytes. */
const maxFileBytes = 1 << 20;

type Opened =
  | { readonly kind: 'spec'; readonly parsed: ReturnType<typeof parseSpec> }
  | { readonly kind: 'notebook'; readonly parsed: ParsedNotebook };

/** Opens what a link describes, or says why not. Nothing is run. */
export function openFragment(fragment: string): void {
  const opened: Opened = isNotebookLink(fragment)
    ? { kind: 'notebook', parsed: decodeNotebookLink(fragment) }
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
  else openNotebook(parsed.notebook, source);
}

async function parseFile(file: File): Promise<Opened> {
  if (file.size > maxFileBytes)
    return refusal(
      `${file.size} bytes came, expected at most ${maxFileBytes}: choose a file as Marlbook saves it.`,
    );
  const text = await file.text();
  try {
    const data: unknown = JSON.parse(text);
    return isNotebookData(data)
      ? { kind: 'notebook', parsed: parseNotebook(data) }
      : { kind: 'spec', parsed: parseSpec(data) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refusal(`It is no JSON (${error.message}): choose a file as Marlbook saves it.`);
  }
}

/** A notebook has cells, a specification has none. */
function isNotebookData(data: unknown): boolean {
  return typeof data === 'object' && data !== null && Object.hasOwn(data, 'cells');
}

function refusal(message: string): Opened {
  return { kind: 'spec', parsed: { ok: false, issues: [{ path: 'file', message }] } };
}
