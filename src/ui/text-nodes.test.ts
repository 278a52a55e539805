/** A browser that translates replaces text nodes, so React must never have to change one. */
import { globSync, readFileSync } from 'node:fs';
import { type ESTree, parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';

type Child = ESTree.JSXChild;

const isBlank = (child: Child) => child.type === 'JSXText' && child.value.trim() === '';
const isExpression = (child: Child) =>
  child.type === 'JSXExpressionContainer' &&
  !['Literal', 'JSXEmptyExpression'].includes(child.expression.type);

/** As far as the syntax tells. */
function isText(child: Child): boolean {
  if (child.type === 'JSXText') return !isBlank(child);
  return child.type === 'JSXExpressionContainer' && isTextual(child.expression);
}

function isTextual(expression: ESTree.JSXExpression): boolean {
  if (expression.type === 'ConditionalExpression')
    return [expression.consequent, expression.alternate].some(isTextOrWord);
  if (expression.type === 'LogicalExpression') return isTextOrWord(expression.right);
  if (expression.type === 'CallExpression' && expression.callee.type === 'Identifier')
    return /^format|InWords$/.test(expression.callee.name);
  return expression.type === 'TemplateLiteral';
}

function isTextOrWord(expression: ESTree.Expression): boolean {
  const isWord = expression.type === 'Literal' && typeof expression.value === 'string';
  return isWord || isTextual(expression);
}

/** Whether the text has siblings that may come and go, or changes among siblings itself. */
function isExposed(text: Child, { type, children }: ESTree.JSXElement | ESTree.JSXFragment) {
  const siblings = children.filter((child) => child !== text && !isBlank(child));
  if (type === 'JSXFragment') return true;
  return siblings.some(isExpression) || (isExpression(text) && siblings.length > 0);
}

test.each(globSync('src/**/*.tsx').filter((file) => !file.endsWith('.server.tsx')))(
  'each text of %s has an element of its own',
  (file) => {
    const source = readFileSync(file, 'utf8');
    const exposed: string[] = [];
    const check = (parent: ESTree.JSXElement | ESTree.JSXFragment) => {
      for (const text of parent.children.filter(isText))
        if (isExposed(text, parent)) exposed.push(source.slice(text.start, text.end).trim());
    };
    new Visitor({ JSXElement: check, JSXFragment: check }).visit(parseSync(file, source).program);
    expect(exposed).toEqual([]);
  },
);
