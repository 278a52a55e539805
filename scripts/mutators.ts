/** The small breakages that tests must notice: one change of one expression or block each. */
import { type ESTree, parseSync } from 'vite';

interface Span {
  start: number;
  end: number;
}

export interface Mutant extends Span {
  original: string;
  /** What stands there instead; nothing where a block is left out. */
  mutated: string;
}

type Node = ESTree.Node;

/** What is turned into what; in strings too, for the database. */
const OPERATORS = new Map([
  ...['< <= >=', '<= < >', '> >= <=', '>= > <', '=== !==', '!== ===', '= !=', '!= ='].map(swap),
  ...['+ -', '- +', '* /', '/ *', '% *', '+= -=', '-= +=', '&& ||', '|| &&', '?? &&'].map(swap),
]);
/** Strings that mean something to the database. */
const SQL = new Map([
  ...['in not_in', 'not_in in', 'is is_not', 'is_not is', 'asc desc', 'desc asc'].map(swap),
]);
const METHODS = new Map([
  ...['some every', 'every some', 'min max', 'max min', 'startsWith endsWith'].map(swap),
  ...['endsWith startsWith', 'toLowerCase toUpperCase', 'toUpperCase toLowerCase'].map(swap),
]);
/** Calls that may be left out of their chain. */
const LINKS =
  /^(where|filter|sort|toSorted|reverse|slice|trim|orderBy|limit|offset|distinct|onConflict)$/;
/** Their first argument names a table or columns: the types check it, and any run at all would miss it. */
const NAMING =
  /^(select|selectFrom|insertInto|updateTable|deleteFrom|where|orderBy|groupBy|on|returning|columns?|ref|sum|count|as|eb)$/;
/** All their strings are names, or are told to those who look after the server, and promise nothing. */
const QUIET = /^(whereRef|innerJoin|leftJoin|onRef|Error|RangeError|TypeError|logEvent|logFault)$/;
/** From here on a number is a time or a size, of which one more or less is nothing. */
const LARGE = 1001;

interface Operation extends Span {
  type: Node['type'];
  left: Node;
  operator: string;
  right: Node;
}

/** Where a node stands. */
interface Place {
  /** Its strings mean nothing to a user. */
  quiet: boolean;
  /** A link of `a?.b.c` or the text of a tagged template: a switch would change what it means. */
  inOnePiece: boolean;
}

/** All mutants of a module; what only types speak about has none. */
export function mutantsOf(code: string): Mutant[] {
  const { program } = parseSync('it.ts', code, { lang: 'ts' });
  return walk(program, { quiet: false, inOnePiece: false });

  function walk(node: Node, place: Place): Mutant[] {
    if (/^(Import|ExportAll)/.test(node.type)) return [];
    const isType = node.type.startsWith('TS');
    const found = isType || place.inOnePiece ? [] : mutate(node, place.quiet);
    for (const [key, value] of Object.entries(node)) {
      if (isType ? key !== 'expression' : isName(node, key)) continue;
      for (const [index, child] of [value].flat().entries())
        if (isNode(child)) found.push(...walk(child, placeIn(node, key, index, place)));
    }
    return found;
  }

  function text({ start, end }: Span): string {
    return code.slice(start, end);
  }

  function instead({ start, end }: Span, ...texts: string[]): Mutant[] {
    return texts.map((mutated) => ({ start, end, original: text({ start, end }), mutated }));
  }

  function mutate(node: Node, quiet: boolean): Mutant[] {
    switch (node.type) {
      case 'IfStatement':
      case 'ConditionalExpression':
        return instead(node.test, 'true', 'false');
      case 'WhileStatement':
      case 'ForStatement':
        return node.test ? instead(node.test, 'false') : [];
      case 'UnaryExpression':
        return /[!-]/.test(node.operator) ? instead(node, text(node.argument)) : [];
      case 'BinaryExpression':
      case 'LogicalExpression':
      case 'AssignmentExpression':
        return swapOperator(node);
      case 'UpdateExpression':
        return instead(
          node,
          text(node).replace(/\+\+|--/, (sign) => (sign === '++' ? '--' : '++')),
        );
      case 'Literal':
        return instead(node, ...otherLiterals(node.value, text(node), quiet));
      case 'TemplateLiteral':
        return quiet ? [] : instead(node, '``');
      case 'ArrayExpression':
        return quiet || node.elements.length === 0 ? [] : instead(node, '[]');
      case 'ObjectExpression':
        return quiet || node.properties.length === 0 ? [] : instead(node, '({})');
      case 'ReturnStatement':
        return isWorthEmptying(node.argument) ? instead(node.argument, 'undefined') : [];
      case 'ArrowFunctionExpression':
        return isWorthEmptying(node.body) ? instead(node.body, 'undefined') : [];
      case 'ExpressionStatement':
        return isRemovable(node.expression) ? instead(node.expression, 'undefined') : [];
      case 'BlockStatement':
        return isMoreThanOneStep(node.body)
          ? instead({ start: node.start + 1, end: node.end - 1 }, '')
          : [];
      case 'ChainExpression':
        return dropQuestions(node.expression, node);
      case 'CallExpression':
        return changeMethod(node);
      default:
        return [];
    }
  }

  function swapOperator(node: Operation): Mutant[] {
    const { left, right, operator } = node;
    if (operator === '+' && /['"`]/.test(text(node))) return [];
    const target = node.type === 'AssignmentExpression' ? text(left) : `(${text(left)})`;
    const others = OPERATORS.get(operator) ?? [];
    return instead(node, ...others.map((other) => `${target} ${other} (${text(right)})`));
  }

  /** `a?.b?.c` without one `?` after the other. */
  function dropQuestions(link: Node, whole: Span): Mutant[] {
    const inner = 'object' in link ? link.object : 'callee' in link ? link.callee : undefined;
    if (!isNode(inner)) return [];
    const rest = code.slice(inner.end, whole.end).replace(/^\?\.(?=[[(])|^\?(?=\.)/, '');
    const plain = code.slice(whole.start, inner.end) + rest;
    const here = 'optional' in link && link.optional ? instead(whole, plain) : [];
    return [...here, ...dropQuestions(inner, whole)];
  }

  function changeMethod({ callee, ...call }: ESTree.CallExpression): Mutant[] {
    if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return [];
    const { name, start, end } = callee.property;
    const others = METHODS.get(name) ?? [];
    return instead(
      call,
      ...(LINKS.test(name) ? [text(callee.object)] : []),
      ...others.map((other) => code.slice(call.start, start) + other + code.slice(end, call.end)),
    );
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** 'not_in' stands for two words. */
function swap(words: string): [string, string[]] {
  const [from = '', ...others] = words.split(' ').map((word) => word.replace('_', ' '));
  return [from, others];
}

/** Whether a part of the node is a name in the code and no value, or one half of a flag (`… ? 1 : 0`). */
function isName(node: Node, key: string): boolean {
  if (key === 'source') return true;
  if (node.type === 'ConditionalExpression' && key !== 'test') return isFlag(node);
  return (key === 'key' || key === 'property') && !('computed' in node && node.computed);
}

function isFlag({ consequent, alternate }: ESTree.ConditionalExpression): boolean {
  const isOne = consequent.type === 'Literal' && consequent.value === 1;
  return isOne && alternate.type === 'Literal' && alternate.value === 0;
}

function placeIn(node: Node, key: string, index: number, { quiet, inOnePiece }: Place): Place {
  if (/Function/.test(node.type)) return { quiet: false, inOnePiece: false };
  const isLink = key === 'object' || key === 'callee' || key === 'expression';
  const chained = key === 'quasi' || ((node.type === 'ChainExpression' || inOnePiece) && isLink);
  const isArgument = key === 'arguments' && 'callee' in node && isNode(node.callee);
  return { quiet: quiet || (isArgument && isQuiet(node.callee, index)), inOnePiece: chained };
}

function isQuiet(callee: Node, index: number): boolean {
  const called = callee.type === 'MemberExpression' ? callee.property : callee;
  const name = called.type === 'Identifier' ? called.name : '';
  return QUIET.test(name) || (index === 0 && NAMING.test(name));
}

function otherLiterals(value: unknown, raw: string, quiet: boolean): readonly string[] {
  if (typeof value === 'boolean') return [`${!value}`];
  if (typeof value === 'number') {
    if (value >= LARGE) return [`${raw} * 2`, `${raw} / 2`];
    return value === 0 ? ['1'] : [`${value + 1}`, `${value - 1}`];
  }
  if (typeof value === 'string') {
    const others = OPERATORS.get(value) ?? SQL.get(value) ?? (quiet ? [] : [value ? '' : 'mutant']);
    return others.map((other) => `'${other}'`);
  }
  return raw.startsWith('/') ? withoutAnchors(raw) : [];
}

function withoutAnchors(pattern: string): string[] {
  const changed = [pattern.replace(/^\/\^/, '/'), pattern.replace(/\$(?=\/[a-z]*$)/, '')];
  return changed.filter((each) => each !== pattern && !each.startsWith('//'));
}

/** What is empty or a literal anyway has mutants of its own. */
function isWorthEmptying(node: Node | null): node is Node {
  if (node === null || (node.type === 'Identifier' && node.name === 'undefined')) return false;
  return !/^(Literal|Block|Template|Array|Object|Parenth|Conditional|Binary|Logical)/.test(
    node.type,
  );
}

function isRemovable(node: Node): boolean {
  if (node.type === 'CallExpression') return !isQuiet(node.callee, -1);
  return node.type === 'AwaitExpression' || node.type === 'AssignmentExpression';
}

/** One statement that returns, or that is removed by itself, needs no second mutant. */
function isMoreThanOneStep(body: readonly Node[]): boolean {
  const [first] = body;
  if (body.length > 1 || !first) return body.length > 1;
  return (
    !/^(Return|If)/.test(first.type) &&
    !(first.type === 'ExpressionStatement' && isRemovable(first.expression))
  );
}
