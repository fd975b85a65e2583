import { deflateSync, Inflate, strToU8 } from 'fflate';
import { parseBase64url, toBase64url } from './base64url';
import type { SpecIssue } from './specIssue';

/** A document as the fragment of an address: envelope + base64url(deflate(JSON)). */

/** Longer addresses are cut by messengers and servers; such a document travels as a file. Unit: characters with the `#`. */
const maxFragmentLength = 16_384;

/** No document that fits a link comes near. Deflate can expand a thousandfold, so the limit is watched while inflating. Unit: bytes. */
const maxInflatedBytes = 256 * 1024;

/** Compressed bytes inflated at once: at most 132 kB come out before the limit is looked at again. */
const inflateStep = 128;

/** What a kind of link is called, in its address and in words. */
export interface LinkKind {
  /** `#v1.` */
  readonly envelope: string;
  /** `experiment`: completes “share the …”. */
  readonly noun: string;
}

type Refusal = { readonly ok: false; readonly issues: readonly SpecIssue[] };

/** `data` must be plain data as in JSON. Refuses a link that would be too long to travel. */
export function packLink(
  { envelope, noun }: LinkKind,
  data: unknown,
): { readonly ok: true; readonly fragment: string } | Refusal {
  const compressed = deflateSync(strToU8(JSON.stringify(data)), { level: 9 });
  const fragment = envelope + toBase64url(compressed);
  if (fragment.length > maxFragmentLength)
    return linkRefusal(
      `This link would have ${fragment.length} characters, expected at most ${maxFragmentLength}: share the ${noun} as a file.`,
    );
  return { ok: true, fragment };
}

/** The fragment of an address, with or without its `#`, to the plain data in it or to what is wrong with it. Never throws. */
export function unpackLink(
  kind: LinkKind,
  fragment: string,
): { readonly ok: true; readonly data: unknown } | Refusal {
  const { envelope, noun } = kind;
  const link = fragment.startsWith('#') ? fragment : `#${fragment}`;
  if (link.length > maxFragmentLength)
    return linkRefusal(
      `The link has ${link.length} characters, expected at most ${maxFragmentLength}: open the ${noun} from a file.`,
    );
  if (!link.startsWith(envelope)) return linkRefusal(envelopeMessage(kind, link));
  const compressed = parseBase64url(link.slice(envelope.length));
  if (compressed === null)
    return linkRefusal(
      'The link holds characters that no link has, or one was lost: copy it again, all of it.',
    );
  const inflated = inflate(compressed, noun);
  if (typeof inflated === 'string') return linkRefusal(inflated);
  const data = parseJson(inflated);
  return typeof data === 'string' ? linkRefusal(data) : { ok: true, data: data.json };
}

function linkRefusal(message: string): Refusal {
  return { ok: false, issues: [{ path: 'link', message }] };
}

/** The version of a link, as in `#v2.`; of any letter, since each kind of document has its own. */
function envelopeMessage({ envelope, noun }: LinkKind, link: string): string {
  const letter = envelope[1]!;
  const version = new RegExp(`^#${letter}\\d{1,9}(?=\\.)`).exec(link)?.[0];
  return version === undefined
    ? `The address holds no ${noun}, expected ${envelope} and its text: copy the link again, all of it.`
    : `The link begins with ${version}. and this page reads ${envelope} only: open it with a newer Marlbook.`;
}

/** The bytes, or what is wrong. Stops as soon as too many have come out. */
function inflate(compressed: Uint8Array, noun: string): Uint8Array | string {
  const inflated = new Uint8Array(maxInflatedBytes);
  const progress = { numBytes: 0 };
  const stream = new Inflate((chunk) => {
    if (progress.numBytes + chunk.length <= maxInflatedBytes)
      inflated.set(chunk, progress.numBytes);
    progress.numBytes += chunk.length;
  });
  try {
    for (let i = 0; i < compressed.length; i += inflateStep) {
      stream.push(compressed.subarray(i, i + inflateStep), i + inflateStep >= compressed.length);
      if (progress.numBytes > maxInflatedBytes)
        return `The link unpacks to more than ${maxInflatedBytes} bytes: no ${noun} is that large, so it was not opened.`;
    }
  } catch {
    return 'The text of the link is damaged or cut off (it does not inflate): copy it again, all of it.';
  }
  return inflated.subarray(0, progress.numBytes);
}

/** The JSON value, or what is wrong. */
function parseJson(bytes: Uint8Array): { readonly json: unknown } | string {
  let text: string;
  try {
    // The language's own UTF-8 decoder that refuses what is not UTF-8; TextDecoder belongs to the platform, not to pure code.
    text = decodeURIComponent(Array.from(bytes, percentEncoded).join(''));
  } catch {
    return 'The link does not hold text (its bytes are not UTF-8): copy it again, all of it.';
  }
  try {
    return { json: JSON.parse(text) };
  } catch {
    return 'The link does not hold a document (its text is not JSON): copy it again, all of it.';
  }
}

function percentEncoded(byte: number): string {
  return `%${byte.toString(16).padStart(2, '0')}`;
}
