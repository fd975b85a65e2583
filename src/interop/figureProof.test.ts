import { deflateSync } from 'node:zlib';
import { strToU8 } from 'fflate';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeShareLink } from '../config/shareLink';
import { defaultSpec } from '../config/defaults';
import { specHash } from '../config/specHash';
import { crc32 } from '../config/crc32';
import type { FigureProof } from './figureProof';
import { pngWithProof, readPngProof } from './pngProof';
import { readSvgProof, svgWithProof } from './svgProof';
import { fuzzRuns } from './testing/fuzzRuns';

const shared = encodeShareLink(defaultSpec);

const proof: FigureProof = {
  version: 1,
  link: shared.ok ? shared.fragment : '',
  specHash: specHash(defaultSpec),
  seeds: [0, 1, 4_294_967_295],
  marlbook: '0.5.0',
};

function fault(read: ReturnType<typeof readSvgProof>): string {
  return read.ok ? '' : read.issues.map(({ path, message }) => `${path}: ${message}`).join('\n');
}

const anyProof: fc.Arbitrary<FigureProof> = fc.record({
  version: fc.constant(1 as const),
  link: fc.stringMatching(/^#[nv]1\.[A-Za-z0-9_-]{1,60}$/),
  specHash: fc.stringMatching(/^[0-9a-f]{16}$/),
  seeds: fc.array(fc.nat(0xffffffff), { minLength: 1, maxLength: 5 }),
  marlbook: fc.constantFrom('0.5.0', '1.12.0-beta.1'),
});

const svg =
  '<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><!-- a > b --><g fill="url(#a)"><path d="M0 0"/><text>1 &lt; 2 &#x2192; &amp;</text><use href="#p"/></g></svg>\n';

test('an SVG figure carries its proof, and stays the figure it was', () => {
  fc.assert(
    fc.property(anyProof, (any) => {
      const carrying = svgWithProof(svg, any);
      expect(readSvgProof(carrying)).toEqual({ ok: true, value: any });
      // Read by hand: JSON between the tags, in which nothing needs escaping.
      const [element = '', text = ''] =
        /<metadata id="marlbook">([^<&]*)<\/metadata>/.exec(carrying) ?? [];
      expect(JSON.parse(text)).toEqual(any);
      expect(carrying.replace(element, '')).toBe(svg);
    }),
    fuzzRuns,
  );
  expect(readSvgProof(svgWithProof('<svg></svg>', proof)).ok).toBe(true);
});

const carried = svgWithProof(svg, proof);
const into = (text: string): string => carried.replace('<g', `${text}<g`);

test.each([
  [
    'an entity bomb',
    `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${carried.replace(/<\?xml.*\?>/, '')}`,
    /DOCTYPE/,
  ],
  ['an unknown entity', into('<text>&b;</text>'), /not predefined/],
  ['a character that XML has not', into('<text>&#0;</text>'), /not predefined/],
  ['an entity without an end', into('<text>a & b</text>'), /not predefined/],
  ['a script', into('<script>alert(1)</script>'), /an element <script>/],
  ['a script of a namespace', into('<svg:script/>'), /an element <svg:script>/],
  ['a comment that ends early in HTML', into('<!--><script>alert(1)</script>-->'), /damaged tag/],
  ['HTML in a title', into('<title><image src="x"/></title>'), /where only text may be/],
  ['an element of HTML', into('<meta http-equiv="refresh" content="0"/>'), /an element <meta>/],
  ['foreign content', into('<foreignObject/>'), /an element <foreignObject>/],
  ['a handler', into('<path onclick="alert(1)"/>'), /onclick/],
  ['a handler in single quotes', into("<path ONLOAD='alert(1)'/>"), /ONLOAD/],
  ['a script address', into('<path xlink:href="java&#115;cript:alert(1)"/>'), /href/],
  ['something fetched', into('<image href="https://example.org/x.png"/>'), /href/],
  ['a picture that is a document', into('<image href="data:image/svg+xml;base64,AA"/>'), /href/],
  [
    'a style that fetches',
    into('<style>@import "https://example.org";</style>'),
    /fetches something/,
  ],
  [
    'a fill that is fetched',
    into('<path fill="url( https://example.org)"/>'),
    /fill that runs or fetches/,
  ],
  [
    'a fill that is fetched, in quotes',
    into('<path fill="url(&quot;x.svg#a&quot;)"/>'),
    /fill that runs or fetches/,
  ],
  [
    'a style that fetches, taken apart by a comment',
    into('<style>@im<!-- -->port "https://example.org";</style>'),
    /a comment inside of <style>/,
  ],
  ['an animation', into('<animateTransform attributeName="href"/>'), /<animateTransform>/],
  ['CDATA', into('<![CDATA[<script>]]>'), /DOCTYPE, an instruction/],
  ['an instruction', into('<?php ?>'), /an instruction/],
  ['metadata of another program', into('<metadata><rdf/></metadata>'), /<rdf> where only text/],
  [
    'metadata twice',
    into('<metadata id="marlbook">{}</metadata>'),
    /^metadata: Is of another program/,
  ],
  [
    'metadata with more attributes',
    carried.replace('id="marlbook"', 'id="marlbook" lang="en"'),
    /another program/,
  ],
  [
    'metadata further inside',
    carried.replace(/(<metadata.*<\/metadata>)(.*<g[^>]*>)/, '$2$1'),
    /inside another element/,
  ],
  [
    'elements in the metadata',
    carried.replace('<metadata id="marlbook">', '<metadata id="marlbook"><b/>'),
    /<b> where only text/,
  ],
  ['no metadata', svg, /^metadata: Is missing/],
  ['another document', '<html></html>', /No SVG figure/],
  ['text', 'hello', /text outside of the root/],
  ['nothing', '', /holds none/],
  ['two roots', `${carried}<svg/>`, /second root/],
  ['an element that is not closed', carried.replace('</g>', ''), /out of order/],
  ['an attribute twice', into('<path x="1" x="2"/>'), /repeated attribute/],
  ['a deep nest', `<svg>${'<g>'.repeat(100)}`, /nested too deep/],
  [
    'another version',
    carried.replace('"version":1', '"version":2'),
    /^metadata\.version: 2 came.*newer Marlbook/,
  ],
  [
    'a repeated key',
    carried.replace('"version":1', '"version":1,"version":1'),
    /^metadata\.version: .*twice/,
  ],
  [
    'a key of the object model',
    carried.replace('"version":1', '"__proto__":{},"version":1'),
    /reserved/,
  ],
  [
    'a link elsewhere',
    carried.replace(/"link":"[^"]*"/, '"link":"https://example.org"'),
    /^metadata\.link/,
  ],
])('SVG: %s is refused', (_what, text, message) => {
  expect(fault(readSvgProof(text))).toMatch(message);
});

test('a figure that could not be read back is not written', () => {
  expect(() => svgWithProof('<p>hello</p>', proof)).toThrow(RangeError);
  expect(() => svgWithProof(carried, proof)).toThrow(/another program/);
  expect(() => svgWithProof(svg.replace('<g', '<script/><g'), proof)).toThrow(/script/);
  const long = { ...proof, link: `#n1.${'a'.repeat(20_000)}` };
  for (const write of [() => svgWithProof(svg, long), () => pngWithProof(png, long)])
    expect(write).toThrow(
      /^The figure cannot carry its proof: link: "#n1\.a+…" came, expected the/,
    );
});

/** Chunk by the specification, with Node's own pieces. */
function chunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

const head = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
// One grey pixel: width 1, height 1, 8 bits, greyscale.
const ihdr = chunk('IHDR', Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0));
const idat = chunk('IDAT', deflateSync(Uint8Array.of(0, 128)));
const iend = chunk('IEND', new Uint8Array(0));
const png = Buffer.concat([head, ihdr, chunk('pHYs', new Uint8Array(9)), idat, iend]);

test('a PNG figure carries its proof in one plain iTXt chunk behind the header', () => {
  fc.assert(
    fc.property(anyProof, (any) => {
      const carrying = pngWithProof(png, any);
      expect(readPngProof(carrying)).toEqual({ ok: true, value: any });
      const at = head.length + ihdr.length;
      const added = Buffer.from(carrying.subarray(at, at + carrying.length - png.length));
      const text = added.subarray(8 + 'marlbook'.length + 5, -4);
      expect(
        added.equals(chunk('iTXt', Buffer.concat([Buffer.from('marlbook\0\0\0\0\0'), text]))),
      ).toBe(true);
      expect(JSON.parse(text.toString())).toEqual(any);
    }),
    fuzzRuns,
  );
});

const carriedPng = Buffer.from(pngWithProof(png, proof));
const ours = carriedPng.subarray(
  head.length + ihdr.length,
  carriedPng.length - png.length + head.length + ihdr.length,
);
const made = (...chunks: Buffer[]): Buffer => Buffer.concat([head, ...chunks]);
const flipped = Buffer.from(carriedPng);
flipped[60]! ^= 1;

test.each([
  ['a wrong CRC', flipped, /iTXt is damaged: its CRC/],
  ['no proof', png, /^iTXt: Is missing/],
  [
    'the text of another program',
    made(ihdr, chunk('tEXt', strToU8('Software\0x')), idat, iend),
    /^tEXt: Is of another program/,
  ],
  ['two texts', made(ihdr, ours, chunk('tEXt', strToU8('a\0b')), idat, iend), /another program/],
  [
    'a packed text',
    made(ihdr, chunk('iTXt', strToU8('marlbook\0\u0001\0\0\0x')), idat, iend),
    /another program/,
  ],
  [
    'bytes that are no text',
    made(
      ihdr,
      chunk('iTXt', Buffer.concat([Buffer.from('marlbook\0\0\0\0\0'), Uint8Array.of(255)])),
      idat,
      iend,
    ),
    /not UTF-8/,
  ],
  ['a cut file', carriedPng.subarray(0, -6), /cut off/],
  ['no end', made(ihdr, ours, idat), /cut off/],
  ['something behind the end', Buffer.concat([carriedPng, head]), /Bytes follow/],
  ['no header', made(ours, ihdr, idat, iend), /header is not the first/],
  ['two headers', made(ihdr, ihdr, ours, idat, iend), /header is not the first/],
  [
    'an unknown critical chunk',
    made(ihdr, chunk('XXXX', new Uint8Array(1)), ours, idat, iend),
    /XXXX is not known/,
  ],
  [
    'a chunk without a name',
    made(ihdr, chunk('a\0b1', new Uint8Array(1)), ours, idat, iend),
    /no name/,
  ],
  [
    'a length past the end',
    made(ihdr, Buffer.from([255, 255, 255, 255, 0x69, 0x54, 0x58, 0x74, 0, 0, 0, 0])),
    /cut off/,
  ],
  ['another file', Buffer.from('GIF89a'), /No PNG/],
])('PNG: %s is refused', (_what, bytes, message) => {
  expect(fault(readPngProof(bytes))).toMatch(message);
});

test('a PNG that has a text already gets no second one', () => {
  expect(() => pngWithProof(carriedPng, proof)).toThrow(/a text already/);
  expect(() => pngWithProof(Buffer.from('GIF89a'), proof)).toThrow(/No PNG/);
});

test('any bytes and any text are a proof or issues, never an exception', () => {
  const damagedPng = fc
    .array(fc.tuple(fc.nat(carriedPng.length - 1), fc.nat(255)), { maxLength: 3 })
    .map((changes) => {
      const bytes = Uint8Array.from(carriedPng);
      for (const [at, byte] of changes) bytes[at] = byte;
      return bytes;
    });
  const damagedSvg = fc
    .tuple(fc.nat(carried.length), fc.nat(12), fc.string({ maxLength: 12 }))
    .map(([at, length, text]) => carried.slice(0, at) + text + carried.slice(at + length));
  fc.assert(
    fc.property(
      fc.oneof(fc.uint8Array(), damagedPng),
      fc.oneof(fc.string(), damagedSvg),
      (bytes, text) => {
        for (const read of [readPngProof(bytes), readSvgProof(text)])
          expect(read.ok || read.issues.length > 0).toBe(true);
      },
    ),
    fuzzRuns,
  );
});

test('a long hostile text is refused in a moment', () => {
  const startMs = performance.now();
  for (const text of [
    '<svg '.repeat(20_000),
    `<svg ${'a="'.repeat(50_000)}`,
    `<svg>${'&'.repeat(200_000)}`,
    `<svg${' '.repeat(200_000)}`,
    '<!--'.repeat(50_000),
    `<svg${Array.from({ length: 300_000 }, (_, i) => ` a${i}=""`).join('')}>`,
    `<svg><!-- ${'a'.repeat(15_000_000)} --></svg>`,
  ])
    expect(readSvgProof(text).ok).toBe(false);
  // Quadratic time would take minutes.
  expect(performance.now() - startMs).toBeLessThan(5000);
});
