/** Each regular expression takes time in proportion to its input. */
import { globSync, readFileSync } from 'node:fs';
import { analyse } from 'scslre';
import { type ESTree, parseSync, Visitor, type VisitorObject } from 'vite';
import { describe, expect, inject, test } from 'vitest';

/** Every regular expression in a file; undefined for one put together at run time. */
function patternsIn(file: string): (ESTree.RegExpLiteral['regex'] | undefined)[] {
  const source = readFileSync(file, 'utf8');
  const { program, errors } = parseSync(file, source);
  expect([file, errors]).toEqual([file, []]);
  const found: ReturnType<typeof patternsIn> = [];
  const constructed = ({
    callee,
    arguments: [pattern],
  }: ESTree.NewExpression | ESTree.CallExpression) => {
    if (callee.type !== 'Identifier' || callee.name !== 'RegExp' || !pattern) return;
    // An escaped text has no quantifiers.
    if (!source.slice(pattern.start, pattern.end).startsWith('RegExp.escape('))
      found.push(undefined);
  };
  const literal: VisitorObject['Literal'] = (node) => {
    if ('regex' in node) found.push(node.regex);
  };
  new Visitor({ Literal: literal, NewExpression: constructed, CallExpression: constructed }).visit(
    program,
  );
  return found;
}

/** What makes a pattern slow: two quantifiers for one sign, or a start at every sign. */
function faultOf(regex: ESTree.RegExpLiteral['regex'] | undefined): string {
  if (!regex) return 'is put together from text';
  const { reports } = analyse({ source: regex.pattern, flags: regex.flags });
  return reports.map(({ type, character }) => `${type} of '${character.pick}'`).join(', ');
}

/** The analysis is the same on both engines. */
describe.runIf(inject('engine') === 'sqlite')('a regular expression', () => {
  test('takes time in proportion to its input, whatever it is', () => {
    const files = globSync('src/**/*.{ts,tsx}').filter((file) => !file.endsWith('.test.ts'));
    const all = files.flatMap((file) => patternsIn(file).map((regex) => ({ file, regex })));
    const slow = all
      .map(({ file, regex }) => [file, regex?.pattern, faultOf(regex)])
      .filter(([, , fault]) => fault !== '');
    expect(slow).toEqual([]);
    expect(all.length).toBeGreaterThan(100);
  });
});
