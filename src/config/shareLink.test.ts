import fc from 'fast-check';
import { Deflate, deflateSync, strToU8 } from 'fflate';
import { expect, test } from 'vitest';
import { parseBase64url, toBase64url } from './base64url';
import type { ExperimentSpec } from './experimentSpec';
import { editablePaths, withValue } from './formFields';
import { parseSpec } from './parseSpec';
import { presets } from './presets';
import { decodeShareLink, encodeShareLink } from './shareLink';
import { specHash } from './specHash';

const { spec: weakStart } = presets['route-search-answer-weak'];

function linkTo(spec: ExperimentSpec): string {
  const encoded = encodeShareLink(spec);
  if (!encoded.ok) throw new Error(encoded.issues[0]?.message);
  return encoded.fragment;
}

/** A link around any bytes, as an attacker would write it. */
function linkAround(bytes: Uint8Array): string {
  return `#v1.${toBase64url(deflateSync(bytes))}`;
}

function messageOf(fragment: string): string {
  const decoded = decodeShareLink(fragment);
  if (decoded.ok) throw new Error('This link was expected to be refused.');
  expect(decoded.issues).toHaveLength(1);
  expect(decoded.issues[0]?.path).toBe('link');
  return decoded.issues[0]?.message ?? '';
}

test.each(Object.entries(presets))('%s travels in under 1,400 characters', (_id, { spec }) => {
  const fragment = linkTo(spec);
  expect(fragment).toMatch(/^#v1\.[A-Za-z0-9_-]+$/);
  expect(fragment.length).toBeLessThan(1400);
  expect(decodeShareLink(fragment)).toEqual({ ok: true, spec });
  // location.hash has the #, an address bar's text may not
  expect(decodeShareLink(fragment.slice(1))).toEqual({ ok: true, spec });
});

// Links in the world. They must open for ever: never edit one; a new envelope or document version adds its own.
test.each([
  [
    '#v1.7VXBUtswEP2VjM5uJwmUgdwYSkuntMMQ2h6YHjbWYquRJY8kk6YZ_r1vZZOETrlxxCdptbt6-_Z5tVH3HKLxTs0mhUomWVYzde27xMUoMoWyLkbk4orDbESjFdNyFBOFpArF7t4E7xp2Sc02ammcRmyQ2HmOPM1x8HRd85nXUc2O8_o72Y77XZ_6kl2V6gyhv3NeUwCQ8Vu4NPT7pgsO_oeFMu6erNFX7MimtXiMJw9IUwEEPDb99UFWrbemhMujCW598ieHg0ly9Gj3DwfTA06zzQjq_Tsk1iQuUydwN1LcJa3BqJpNC1UbrdnNzR-cHWCP0wsm3VfSc5Kp2BmNQ-KGtSFwmOOOwUAyfN4sWGvjKvjdkY1cAEXLNzUnAm9jfADp22QahGVsQz9IU7NCDywKdUhwjdSZt_FBoRYIn8jupF9P8_oEO26jsVkW_AYQVmyqOr3nkoT03JSPgfRXHxo1c521wm5Zs-5EQNvLS--gFugDGSg0XfsJ9VGC3lAH0twZ9PFDoFJMsAjTuya9svvy7O5U_sruS7OLPBxRBSWfq4glykSmRHGJLJ0zGJQqBfoF1n1Yw1ZibknJqmFy2MeS8gSOSWOntb_LU3FbkdSOD6bGuDmc9iwRDFlO4qbAo5ehZn3MI6u0pr30K3FHM2V3AVKGre7InsGETstUT-jO-swzrkaZVFWBq1y3gPdLdl96rFDBt1ajJeetL2tcI5O4wnBs85VSdbzisKUNDkeDw6OuECDczvOLkmNCxWnelSULbtTWPwDzBAagyzEAPeYVm5odQXn_kQcSQ9vbdk2mCGQ8Hd2AZIMdowOQ35AR2d9leMwa9ixU-V9Cg6Nb_B7USGMq6xdkUb1HfDA6vwjo_D8OGdxTp5023g5KiOK0H5ufsR8m8vOh-5o6FXd5iJ9J_FOGKcvveTsuJsW0OCgOYVtQiSaKxFcUG_XwFw',
    '645b41db3678156e',
    'Route, search, answer: a weak start',
  ],
  [
    '#v1.1VQxclMxEL2KRwWV8dhOYrDbEAhDgEwMaRgKWVp_i-hLfyR9G-NxAz0lLXegoKLLAbgDJ-AIvJWdH48nQ0eBG_9drVZv39vdlZhTiMY7Meq1RTLJkhiJs-vvkVzrXqsK1z-m5Nqtn59-ffzS-v318zfRFuTmJnhXkktitBJXxmlcit7O6ZKCmS4RU3pd2zoibReGfH_ha6dh9ttCqvTSKbwzlTZSWxg3l9boc3LSpqUYdTu9NaIKpMeF1SZx4K_KW6MQceNCGP7M1OwdN841IrLX0F4qGdTMJFKpDkCyEq4uz-QSXGSIM6M1ubH5gLMD2Dg9Jcn4D7PxjJaX0tZ06zQuUShJG5loc-_hQyaUTsoJaW1cgbhtwcFX9GpGSTI7-AGkr5IpcS1j2xIqtSwXoNKSDA4JLpCa2el2D9pigus9toab737-HsKiKhqbBaX7gLAgU8zSI1KSqc1aPAlSv_ChFCNXW4vXo5oR5MpEbB9X3sUkITAyyFDW1VPUJxM6BXUgzdRArccBWubm6TLTu1r8B_zGQt_BLsag9NzaNfj5l3whD0WgkslnVFEBNjIlGa-QpXYG0yVSkO_Aog88VAqwuARRknSwo5J5XmPiSrT20zzGTQdwr-DHJRk3RtCOJ6JmS4nDBHjxPEzWxzwmyprqzC84HOKwdYom2pq6lvYYrg0bvA0SCF8ee8LrqFQWRaAil874_RW55xu4EPZ1pcHzSeXVjHcD3iyCr6v8Khcezyk0zCFgsA3YSN4b4ALTO04y5N2D_4LSuFaKGDoAHmXJxgkkoNW6AHSTl31iNEAz3TFRSIx2bRTr9XGRsJfqLZIVLIIIeZ_ljMh-lOERafhz7_HeCiWO3qDjZcnaTGQk1O5xOxid1xCkb455yPeOm43VuRmoTtO-nb3d8LfQ3UXQg3A7a7vT7OAUakwMC9-5FfZgvX6LDkFhXMphf3g4HDzoD4_aXbgnUkFSBrGQsRTrPw',
    'd188a6221ca504b1',
    'Lösen & prüfen, σₖ 🎲',
  ],
  [
    '#v1.7VVNU9swEP0rjM6GSfgayK1D-egALUNoL50eNtbGUdGHR5YJIcN_71vZmITptbfmEmm1Wu17b3e9Vk8cGxO8mowLlUyyrCbqMljNfrJzu3t5f_et2FmyqRaJtSoU-ycTg3fsk5qs1aPxGhdqS_78mcs2MXx866Y2pEZNDgrl6HnazhI1j9jv440Q7EMbfXcK12teYX2Y1z_IttztGuMry5-q_NCcbMOFMv6JrNF37MmmlZqMXgtF4oEr65yE55iXwZoSDoMNjpzzC9vng_EVHtlq5P2tYKa5iOGFQVGfBsVyYRKXqY1gay2J39AKPGaAC6NB3tS84OwAe5xeMekBI_BmmO9G4xNHx9pQ4u7eyYmIweduxlqDCPj1b8dQ88OCE0GwEX5IO9TJOFzLyfaCkCa3hBSWKXoEuEdo8LU3GoH0Ga6PZXfarffz-hQ7rhtjczHwLlLodP_MJQnZWcvLSPpriE5NfGstXm_KBetWymZ4vAy-SQTdEIGia-svwEcJVQYcCDM30O8iUikmUfGDOv8J_-eEC-MNUFBPeVMCJiJJn3Y9V6jWG7SeSpF-g_oQV7CVOBLcyjF57JuS8sRokgwHrcM8PzjAEgLww2xxxk_htGHpOjyJmwKZAQHQ3VU_W3ou8tDJ5ocAtZG3DU3u0Dfs1tSSGP5uwlLiowRkd4Xr_Va3ZM_ET0YOVVXkKrMj6MIj-9sODN6F2quzwB2KyPNru707fydNPR7gDhSS2zdBFDdIUVTCiytPzpRTcrUFzKGaUI7fa43aOK9DuQAO8ADbrfFmRgnKigkgqxjaOsPMk_OO4yApHI57h652x8e4ILpPE8U8lfFfcZq2ZcnCFTg46gZxgjBgcQQ4b3HFpibH6Iq_lC4Co--GUhrvi7aYwW2fyRo7RmGgNfqIiH6U02PWsGfYMqWjw9FPtC45qRdXxVoED7gejc4zF0U5nM_zAOg-KSB723EY1HtvU2PvfWSk2PJmpM3vyIcwG9-yva3PTRfjF0oUKCTvUTEu9ouD4hC2GZUoGSm9JTVOvf4B',
    '2f5a8b225d44f224',
    'Golden: M-GRPO, weighted',
  ],
  [
    '#v1.7VVNc9MwEP0rGZ1NJ2mBobl1oC1MP-jgAocOh421tUVlySPJLWmm_523spukDD3CqbnEWu0-7b59Wq3ULYdovFPzWaGSSZbVXB17q9nNJ-XBxediQpOT00nHjmxaFpMFpaqZxKRVodjdmuBdyy6p-UrdGKcRHXyfuGQKVXPg4h0HeLq-PeFlVPN3-fsb2Z6HFWWXU3Z1anISMUeWDQWkMt2BS0u_Lvvg4P-6UMbdkjX6YshHPKazB8DUSAIeq-H4IF-dt6aCy6MJbgP4k83RJBhDttubo-kBu9lmJOvtM0w8Cv6ewd812cgAAZhJXKVe8l9Jtae0BMlqvluoxmgwW5p77O1hjd2PTHoobSApc7MxGoeTWtaGQGqOewdKkuHDdsFaG1fDbzw7-I4vG04EIqf4IWvfJdMiLCc7Nog0tXdoikXlDgBfAJ2JnO4VaoHwmaz2h-_d_L2PFXfR2KwUfoUU7tjUTfrAFUkXcpeOA-lzH1o1d721QnfVsO5FU-vDK-9iIggGCBTavvuE-ihBgqgDMNcGjT0KVIkJFqF-07UXuv8D3Zt78EL3P6cbOBxRBSWfq4gVygRSongDlN4ZzFaVAv0E6z4sYasw6qRk1TI5rGNFeWzn0Vzmyay1v87TdF2WEIAfTK1x4rRliaDJchI3BTI9ADBj63GwK-cdP5ouPVqEnK2PeRKOdUfqJCpRf-GjSeYW-ciDQv0516g_r3emb2RQ1yGb8mnJ37A7G8rAYWjx8r1npA6uAl-f2HGFIT8aDjdkqZs9hKEzAnDqpdMG6Ul3wMDSUWuqktrOory1iiDDr52GJg47XzWoAcCwnRlnMn8y4OVBqTHju1yidCJecFi3Eg5vR4dHrSNA-l0mCvkpxH_NqeyrioUn5D-8Y2VCQ3BXpqjvEVdsav4Wt-EvkgUw7ttaQrNdBDJewH7MZIUVQxW4EiMi0N_k9Jg17LlsudShxdYVriy1Ipba-gVZ8OcRH4zODxvU-IdDTu6p00avO6M6ozhtx-bX-LuJIptnQrd1fiDuooBngH_IE8AyMq6mxazYLfaK17AtqIJ6RH53FFv18Bs',
    'f350eab5a0a7c8e2',
    'Golden: SAPO, a KL penalty, batch std',
  ],
  [
    '#v1.7VZLbxs3EP4rBs9bQ7KTINlb4ToPxCmCym0PQQ8jcrTLmo8FybWrCP7v_Ya7erjpoSiQnKKDtJwXZ775ZlY7dc8p2xhUu2xUscWxatWb6AyH9kwnW6zOzdmaNzHxWekZ3w_yZSx1IWZRq0ZxuLcpBs-hqHan7mwwCJPiWHjFlHT_Y8hwg2UY_XveZtW-rM-_kRt5OlE1ueHQlb5mk6vnqqeEnBbnMPH01-2YAuyfNcqGe3LWfORArmzFYrF8RJgOScBiN12f5GmIzmqY7EUwm4I_Uc4iiTFle6qcRY_QVpmVrE_vsPl1ip8ZQG7IZUYQBLOFdRkl_51Ue0NboK3ai0b11gDilf0M3SXO0L5lMlNpE0gVm6PQBtzkGcAD1Or3EpAUy9d-zcbY0MFuvjvFgW97LgQgF_gg6zgU6-FWk50bRIb8A5riUHlAgF8QugK5uGzUGu5LOb2ani_q8yuceMjWVcrwD0jhgW3Xl59Yk3ShdulNIvNzTF61YXRO4NY9m1HIdbhcx5ALgTCIQMmPwzvURwVcRB0Is7Fo7OtEWkSQCPTHrn2H-xvAfZyD73B_dbgRh7FPPZV4WkWHFTMgStaoGudC-Q7HMVisWlUS_YkmxLSFTGPzCQLKM4XqQnWd52JwMiZu6l49FChQ4AORt2EFoxNJBmCOi5gpwBoRANu2m1e8CjHwXnQb0Sxk72KuO3GPgLOSt_zcxAeJDSLI6S0AnY9mJHcldi1aQl2XuKsYSWXxjsOHqZA1OQpaSpnvRRIgwfYqMkoCmok3793T0_URS3V3CZ8qfSeha6LgjDM3sRtSXCNtlckPrr6i5qermBKgnbKZ751Vv1dOTFX9QzgVh9LAE8keN4B3FhAJV1DxNpC3eiU-gPjA6Yj3MJrSze83hN1LDi84dAWj8-tgwOPrIeoedpPsgw12TQUsFBFaUUlTm1GTqxepgRI5xw51CInyR04HUsLtxew2TZ8cQWDHT3grb78R-Z72uUIDxYaswzK4JZnUL7QyBKtCqf4_wG_HZTVqzUIZUOF5BWxVwE2gt0D5-xRFptoXWBH_MscIjCV0yG95AUfG34JxLmqHE2M2sCfmiIj-vFbKbCCv6MumSx6qT9hj5IVnXRqE8tKDZE2tFwN6UNvhC_VxeM_3k0uo_MTJ03_1OtkE59N_sDrFUvdpwHsjw_F_w40ewf6QdyrLDv60aJbNRXPZPINsTRrTV5foWKJ6_Bs',
    'd5b39b3102b6c9b1',
    'Golden: critics, before there were diagnostics',
  ],
])('a golden link opens: %.24s…', (fragment, hash, title) => {
  const decoded = decodeShareLink(fragment);
  expect(decoded.ok && decoded.spec.title).toBe(title);
  expect(decoded.ok && specHash(decoded.spec)).toBe(hash);
});

/** A number in (0, 0.99) with sixteen digits that look random. */
function digits(seed: number): number {
  return Math.abs(Math.sin(seed)) * 0.99;
}

test('a specification too large for a link is refused, not cut', () => {
  // 3 agents × 8 arms with a policy each, whose numbers are full of digits:
  // 8 × 24 × 6 = 1,152 numbers × 16 digits × log₂ 10 / 8 bits ≈ 7.7 kB that do not compress, and their paths
  const numbers = [
    ...['learningRate', 'beta1', 'beta2', 'epsilon', 'weightDecay'].map(
      (key) => `optimizer.${key}`,
    ),
    'schedule.finalFraction',
  ];
  const { router } = weakStart.policies;
  const ids = Array.from({ length: 24 }, (_, i) => `policy${i}`);
  const arms = Array.from({ length: 8 }, (_, a) => ({
    name: `arm${a}`,
    overrides: Object.fromEntries([
      ...['router', 'search', 'answer'].map((agent, i) => [
        `agents.${agent}.policy`,
        ids[3 * a + i],
      ]),
      ...ids.flatMap((id, i) =>
        numbers.map((key, k) => [`policies.${id}.${key}`, digits(1 + 24 * 6 * a + 6 * i + k)]),
      ),
    ]),
  }));
  const policies = Object.fromEntries(ids.map((id) => [id, router]));
  const agents = {
    router: { policy: 'policy0' },
    search: { policy: 'policy1' },
    answer: { policy: 'policy2' },
  };
  const parsed = parseSpec({ ...weakStart, agents, policies, arms });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const encoded = encodeShareLink(parsed.spec);
  expect(encoded.ok).toBe(false);
  expect(!encoded.ok && encoded.issues[0]?.message).toMatch(/share the experiment as a file/);
});

test.each([
  ['', /holds no experiment/],
  ['#', /holds no experiment/],
  ['#claims', /holds no experiment/],
  ['#v1', /holds no experiment/],
  ['#v2.AAAA', /begins with #v2\. and this page reads #v1\. only/],
  ['#v1.not base64!', /characters that no link has/],
  ['#v1.A', /one was lost/],
  ['#v1.____', /does not inflate/],
  ['#v1.', /not JSON/],
  [linkAround(Uint8Array.of(0x22, 0xc3, 0x28, 0x22)), /not UTF-8/],
  [linkAround(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)), /not UTF-8/],
  [linkAround(strToU8('{"version":1,')), /not JSON/],
])('%s is refused with one clear reason', (fragment, reason) => {
  expect(messageOf(fragment)).toMatch(reason);
});

test('a link cut off anywhere is refused with one reason', () => {
  const fragment = linkTo(weakStart);
  for (let length = 0; length < fragment.length - 1; length++)
    expect(messageOf(fragment.slice(0, length))).not.toBe('');
});

/** `numMiB` MiB of zeros, compressed without ever holding them. */
function compressedZeros(numMiB: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  const stream = new Deflate({ level: 9 }, (chunk) => chunks.push(chunk));
  for (let i = 0; i < numMiB; i++) stream.push(new Uint8Array(1 << 20), i === numMiB - 1);
  return new Uint8Array(Buffer.concat(chunks));
}

test('200 MiB of zeros are refused by their length, before inflating', () => {
  const fragment = `#v1.${toBase64url(compressedZeros(200))}`;
  expect(fragment.length).toBeGreaterThan(16_384);
  expect(messageOf(fragment)).toMatch(/^The link has \d+ characters, expected at most 16384/);
});

test('10 MiB of zeros fit into a link and are refused while inflating', () => {
  const fragment = `#v1.${toBase64url(compressedZeros(10))}`;
  expect(fragment.length).toBeLessThan(16_384);
  expect(messageOf(fragment)).toMatch(/unpacks to more than 262144 bytes/);
});

function padded(numBytes: number): string {
  return linkAround(strToU8('1'.padEnd(numBytes, ' ')));
}

test('a document of exactly 256 KiB is still read, one byte more is not', () => {
  const decoded = decodeShareLink(padded(262_144));
  expect(decoded.ok ? [] : decoded.issues.map(({ path }) => path)).toEqual(['']);
  expect(messageOf(padded(262_145))).toMatch(/unpacks to more than/);
});

test('a link cannot reach Object.prototype', () => {
  const text = JSON.stringify(weakStart).replace('"loss":{', '"loss":{"__proto__":{"polluted":1},');
  const decoded = decodeShareLink(linkAround(strToU8(text)));
  expect(decoded).toEqual({
    ok: false,
    issues: [{ path: 'loss.__proto__', message: 'The key __proto__ is reserved: remove it.' }],
  });
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

const hostileKeys = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'version',
  'policies',
  'x',
);
const hostileJson = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue(),
    fc.array(tie('node'), { maxLength: 3 }),
    fc
      .array(fc.tuple(hostileKeys, tie('node')), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).node;

/** The weak-start link with one character replaced. */
const mutatedLink = fc
  .tuple(fc.nat(linkTo(weakStart).length - 1), fc.string({ minLength: 1, maxLength: 1 }))
  .map(([at, char]) => {
    const fragment = linkTo(weakStart);
    return fragment.slice(0, at) + char + fragment.slice(at + 1);
  });

/** A valid document with one hostile value, at a path of its own. */
const mutatedDocument = fc
  .tuple(fc.constantFrom(...editablePaths(weakStart).map(({ path }) => path)), hostileJson)
  .map(([path, value]) => linkAround(strToU8(JSON.stringify(withValue(weakStart, path, value)))));

test('no fragment throws, pollutes, or gives anything but a valid specification', () => {
  const before = Object.getOwnPropertyNames(Object.prototype);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.base64String().map((text) => `#v1.${text.replace(/=+$/, '')}`),
        fc.uint8Array({ maxLength: 400 }).map((bytes) => `#v1.${toBase64url(bytes)}`),
        fc.uint8Array({ maxLength: 400 }).map(linkAround),
        hostileJson.map((data) => linkAround(strToU8(JSON.stringify(data)))),
        mutatedLink,
        mutatedDocument,
      ),
      (fragment) => {
        const decoded = decodeShareLink(fragment);
        const again = decoded.ok ? parseSpec(decoded.spec) : decoded;
        expect(again).toEqual(decoded);
        expect(decoded.ok || decoded.issues.some(({ message }) => message !== '')).toBe(true);
        expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
      },
    ),
    { numRuns: 2000 },
  );
});

test('the payload is plain deflate of the whole document', () => {
  const payload = parseBase64url(linkTo(weakStart).slice('#v1.'.length));
  expect(payload).toEqual(deflateSync(strToU8(JSON.stringify(weakStart)), { level: 9 }));
});
