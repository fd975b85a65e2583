import { parseSpec } from '../config/parseSpec';
import { decodeShareLink } from '../config/shareLink';
import { announce } from './announcement';
import type { SpecOrigin } from './specState';
import { applyToSpec } from './specStore';

/** No specification comes near; a larger file is refused unread. Unit: bytes. */
const maxFileBytes = 1 << 20;

/** Loads what a link describes into the form, or says why not. Nothing is run. */
export function openFragment(fragment: string): void {
  open(decodeShareLink(fragment), 'The link', { kind: 'link' });
}

/** Loads a specification file into the form, or says why not. Nothing is run. */
export async function openFile(file: File): Promise<void> {
  open(await parseFile(file), `The file ${file.name}`, { kind: 'file', name: file.name });
}

function open(parsed: ReturnType<typeof parseSpec>, source: string, origin: SpecOrigin): void {
  if (parsed.ok) {
    applyToSpec({ kind: 'opened', spec: parsed.spec, origin });
    announce(`${source} was opened. Nothing runs until you press Run.`);
  } else {
    applyToSpec({ kind: 'refused', refusal: { source, issues: parsed.issues } });
    announce(`${source} was not opened. The form is as before.`);
  }
}

async function parseFile(file: File): Promise<ReturnType<typeof parseSpec>> {
  if (file.size > maxFileBytes)
    return refusal(
      `${file.size} bytes came, expected at most ${maxFileBytes}: choose a specification as Marlbook saves it.`,
    );
  const text = await file.text();
  try {
    return parseSpec(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refusal(
      `It is no JSON (${error.message}): choose a specification as Marlbook saves it.`,
    );
  }
}

function refusal(message: string): ReturnType<typeof parseSpec> {
  return { ok: false, issues: [{ path: 'file', message }] };
}
