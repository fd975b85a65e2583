import { expect, test } from 'vitest';
import { anchorOf, assertAction, assertEnded, createCall } from './pendingCall';

/** Character codes stand for token ids: FNV-1a over ids below 256 is FNV-1a over bytes. */
function codes(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

const call = createCall({
  agent: 1,
  turnIndex: 2,
  promptTokens: Int32Array.of(3, 4),
  origins: Int32Array.of(-1, 0),
  actionLength: 1,
});

test('the anchor of the bytes of "foobar" is the published FNV-1a test vector', () => {
  const [agent = 0, ...prompt] = codes('foobar');
  expect(anchorOf(agent, Int32Array.from(prompt))).toBe(0xbf9cf968);
});

test('the anchor of the single byte "a" is the published FNV-1a test vector', () => {
  expect(anchorOf(0x61, Int32Array.of())).toBe(0xe40c292c);
});

test('the order of the tokens and the agent change the anchor', () => {
  const anchors = [
    anchorOf(0, Int32Array.of(1, 2)),
    anchorOf(0, Int32Array.of(2, 1)),
    anchorOf(1, Int32Array.of(1, 2)),
    anchorOf(0, Int32Array.of(1, 2, 0)),
  ];
  expect(new Set(anchors).size).toBe(anchors.length);
});

test('a copy of a pending call is as good as the call itself', () => {
  const copy = { ...call, promptTokens: call.promptTokens.slice() };
  expect(() => assertAction([call], copy, Int32Array.of(7))).not.toThrow();
});

test.each([
  ['agent', { ...call, agent: 0 }],
  ['turn', { ...call, turnIndex: 1 }],
  ['action length', { ...call, actionLength: 2 }],
  ['prompt', { ...call, promptTokens: Int32Array.of(3, 5) }],
  ['prompt length', { ...call, promptTokens: Int32Array.of(3, 4, 5) }],
])('a call with another %s is not pending', (_, other) => {
  const action = new Int32Array(other.actionLength);
  expect(() => assertAction([call], other, action)).toThrow(RangeError);
});

test('a refused call names what came and what is awaited', () => {
  const early = { ...call, turnIndex: 0 };
  expect(() => assertAction([call], early, Int32Array.of(7))).toThrow(
    'The call of agent 1 in turn 0 is not pending; agent 1 in turn 2 is.',
  );
  expect(() => assertAction([], call, Int32Array.of(7))).toThrow('the episode has ended');
});

test('an episode with a pending call has not ended', () => {
  expect(() => assertEnded([call])).toThrow('The episode waits for agent 1 in turn 2');
  expect(() => assertEnded([])).not.toThrow();
});
