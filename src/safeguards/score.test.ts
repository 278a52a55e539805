import { describe, expect, test } from 'vitest';
import { ownContent } from '../../tests/support/own-content.ts';
import type { Answer } from './check.ts';
import { countsInWords, draftMessage, resultOf } from './score.ts';

const { safeguards: check } = ownContent();
const all = (answer: Answer) =>
  Object.fromEntries(check.questions.map(({ id }) => [id, answer] as const));
const statesOf = (answers: Record<string, Answer>) =>
  Object.fromEntries(
    resultOf(check, answers).elements.map(({ element, state }) => [element.id, state]),
  );

describe('the state of an element', () => {
  test.each([
    [['yes', 'yes'], 'in-place'],
    [['yes', 'partly'], 'partly'],
    [['yes', 'no'], 'partly'],
    [['partly', 'unsure'], 'partly'],
    [['no', 'unsure'], 'missing'],
    [['yes', 'unsure'], 'unknown'],
  ] as const)('with answers %j is %s, in either order', ([one, other], state) => {
    expect(statesOf({ training: one, staff: other }).e).toBe(state);
    expect(statesOf({ training: other, staff: one }).e).toBe(state);
  });

  test('is not known while a question is unanswered', () => {
    expect(new Set(Object.values(statesOf({})))).toEqual(new Set(['unknown']));
    const { mfa: _, ...rest } = all('yes');
    expect(statesOf(rest)).toMatchObject({ a: 'in-place', c: 'unknown' });
  });
});

describe('below 5,000 consumers', () => {
  const small = { ...all('no'), consumers: 'no' } as const;

  test('only what 16 CFR 314.6 exempts is not required', () => {
    const { elements } = resultOf(check, small);
    const exempt = elements.flatMap(({ findings }) => findings.filter((each) => each.exempt));
    expect(exempt.map(({ question }) => question.cite)).toEqual([
      '314.4(b)(1)',
      '314.4(d)(2)',
      '314.4(h)',
      '314.4(i)',
    ]);
    expect(statesOf(small)).toMatchObject({
      b: 'missing',
      d: 'missing',
      h: 'not-required',
      i: 'not-required',
      j: 'missing',
    });
    const { first } = resultOf(check, { ...all('yes'), consumers: 'no', incident: 'no' });
    expect(first).toEqual([]);
  });

  test('nothing is exempt if the store is not sure of its size', () => {
    expect(resultOf(check, { ...small, consumers: 'unsure' }).small).toBe(false);
    expect(statesOf({ ...small, consumers: 'unsure' }).h).toBe('missing');
  });
});

describe('what to do first', () => {
  const firstOf = (answers: Record<string, Answer>) =>
    resultOf(check, { ...all('yes'), ...answers }).first.map(({ question }) => question.id);

  test.each([
    ['nothing if all is in place', {}, []],
    [
      'what stops attacks, even if only partly open',
      { report: 'no', assessment: 'no', mfa: 'partly' },
      ['mfa', 'assessment', 'report'],
    ],
    [
      'what is missing, then what is not known, then what is partly in place',
      { access: 'partly', encryption: 'unsure', mfa: 'no' },
      ['mfa', 'encryption', 'access'],
    ],
    [
      'at most three things, equals in the order of the Rule',
      { logging: 'no', access: 'no', mfa: 'no', encryption: 'no' },
      ['access', 'encryption', 'mfa'],
    ],
  ] as const)('is %s', (_, answers, first) => {
    expect(firstOf(answers)).toEqual(first);
  });

  test('counts an unanswered question as not known', () => {
    const { access: _, ...rest } = all('yes');
    const { first, unanswered } = resultOf(check, { ...rest, encryption: 'partly' });
    expect(first.map(({ question }) => question.id)).toEqual(['access', 'encryption']);
    expect(unanswered).toBe(1);
  });
});

test('the summary counts states in order, and the draft message names what is missing, not known and partly in place', () => {
  const answers = { ...all('yes'), individual: 'no', notice: 'unsure', mfa: 'partly' } as const;
  const result = resultOf(check, answers);
  expect(countsInWords(result)).toBe('7 in place, 1 partly, 1 missing, 1 not known');
  expect(draftMessage(result)).toBe(
    `We did the FTC Safeguards self-check.
Missing: A Qualified Individual.
Not known: Notice to the FTC.
Partly: Safeguards that control the risks.
Please call us about it.`,
  );
});

test('each of the twenty questions cites a paragraph of its element, in the order of the Rule', () => {
  expect(check.questions).toHaveLength(20);
  for (const { element, cite } of check.questions)
    expect(cite.startsWith(`314.4(${element})`)).toBe(true);
  const cites = check.questions.map(({ cite }) => cite);
  expect(cites).toEqual(cites.toSorted());
});
