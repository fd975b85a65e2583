import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reverseTeacherKl, teacherCrossEntropy } from './distillation';
import { categoricalEntropy, logSoftmax } from './entropy';
import { loadKickstart } from './golden/loadSurrogates';
import { mismatch } from './golden/mismatch';

const golden = loadKickstart();

test('the cross-entropy to a teacher and its gradient agree', () => {
  const { losses, gradients } = teacherCrossEntropy(
    golden.teacherLogprobs,
    golden.studentLogits,
    3,
  );
  expect(mismatch(losses, [golden.crossEntropy], golden.tolerance)).toBeNull();
  expect(mismatch(gradients, golden.crossEntropyGradients, golden.tolerance)).toBeNull();
  const { entropies } = categoricalEntropy(golden.teacherLogprobs, 3);
  expect(mismatch([losses[0]! - entropies[0]!], [golden.forwardKl], golden.tolerance)).toBeNull();
});

test('the reverse KL to a teacher and its gradient agree', () => {
  const { losses, gradients } = reverseTeacherKl(golden.teacherLogprobs, golden.studentLogits, 3);
  expect(mismatch(losses, [golden.reverseKl], golden.tolerance)).toBeNull();
  expect(mismatch(gradients, golden.reverseKlGradients, golden.tolerance)).toBeNull();
});

const losses = { teacherCrossEntropy, reverseTeacherKl };
const named = Object.entries(losses).map(([name, lossOf]) => ({ name, lossOf }));
const logits = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), {
  minLength: 6,
  maxLength: 6,
});

test.each(named)('the gradient is the slope of the loss in every logit: $name', ({ lossOf }) => {
  fc.assert(
    fc.property(logits, logits, (teacher, student) => {
      const teacherLogprobs = logSoftmax(Float64Array.from(teacher), 3);
      const given = Float64Array.from(student);
      const h = 1e-5;
      const lossAt = (index: number, change: number): number => {
        const moved = given.map((logit, i) => (i === index ? logit + change : logit));
        return lossOf(teacherLogprobs, moved, 3).losses.reduce((sum, loss) => sum + loss, 0);
      };
      const slopes = student.map((_, i) => (lossAt(i, h) - lossAt(i, -h)) / (2 * h));
      expect(mismatch(lossOf(teacherLogprobs, given, 3).gradients, slopes, 1e-8)).toBeNull();
    }),
  );
});

test.each(named)('a student that is its teacher has no gradient: $name', ({ lossOf }) => {
  fc.assert(
    fc.property(logits, (drawn) => {
      const student = Float64Array.from(drawn);
      const { gradients } = lossOf(logSoftmax(student, 3), student, 3);
      expect(mismatch(gradients, new Float64Array(6), 1e-14)).toBeNull();
    }),
  );
});

test.each(named)('a token forbidden to both has no say: $name', ({ lossOf }) => {
  const all = lossOf(logSoftmax(Float64Array.of(1, 0), 2), Float64Array.of(0, 2), 2);
  const teacherLogprobs = logSoftmax(Float64Array.of(1, -Infinity, 0), 3);
  const masked = lossOf(teacherLogprobs, Float64Array.of(0, -Infinity, 2), 3);
  expect(mismatch(masked.losses, all.losses, 1e-14)).toBeNull();
  expect([masked.gradients[0], masked.gradients[2]]).toEqual([...all.gradients]);
  expect(Math.abs(masked.gradients[1]!)).toBe(0);
});

test('a token only one of the two can take', () => {
  const teacherNever = logSoftmax(Float64Array.of(0, -Infinity), 2);
  // −log ½ on the only token the teacher takes
  const {
    losses: [loss],
    gradients,
  } = teacherCrossEntropy(teacherNever, Float64Array.of(0, 0), 2);
  expect(mismatch([loss!, ...gradients], [Math.LN2, -0.5, 0.5], 1e-14)).toBeNull();
  expect(() => reverseTeacherKl(teacherNever, Float64Array.of(0, 0), 2)).toThrow(
    'the teacher never takes token 1 of row 0, the student can',
  );
  const even = logSoftmax(Float64Array.of(0, 0), 2);
  const studentNever = Float64Array.of(0, -Infinity);
  expect(teacherCrossEntropy(even, studentNever, 2).losses[0]).toBe(Infinity);
  // The student has all its probability where the teacher has half: log 2.
  expect(mismatch(reverseTeacherKl(even, studentNever, 2).losses, [Math.LN2], 1e-14)).toBeNull();
});

test('a teacher of another shape is refused', () => {
  expect(() => teacherCrossEntropy(new Float64Array(2), new Float64Array(4), 2)).toThrow(
    'teacherLogprobs has 2 entries, studentLogits 4',
  );
});
