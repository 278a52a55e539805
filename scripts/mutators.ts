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

const OPERATORS: Record<string, readonly string[]> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
};
/** Operators and directions that stand in strings, for the database. */
const SQL = new Map([
  ['=', ['!=']],
  ['!=', ['=']],
  ['<', ['<=', '>=']],
  ['<=', ['<', '>']],
  ['>', ['>=', '<=']],
  ['>=', ['>', '<']],
  ['in', ['not in']],
  ['not in', ['in']],
  ['is', ['is not']],
  ['is not', ['is']],
  ['asc', ['desc']],
  ['desc', ['asc']],
]);
const METHODS = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['toLowerCase', 'toUpperCase'],
  ['toUpperCase', 'toLowerCase'],
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

/** Where a node stands. */
interface Place {
  /** Its strings mean nothing to a user. */
  quiet: boolean;
  /** A link of `a?.b.c` or the text of a tagged template: a switch would change what it means. */
  inOnePiece: boolean;
}

/** All mutants of a module, outer ones before those inside them; what only types speak about has none. */
export function mutantsOf(code: string): Mutant[] {
  const found: Mutant[] = [];
  const text = ({ start, end }: Span) => code.slice(start, end);
  walk(parseSync('it.ts', code, { lang: 'ts' }).program, { quiet: false, inOnePiece: false });
  return found;

  function walk(node: Node, place: Place): void {
    if (/^(Import|ExportAll)/.test(node.type)) return;
    const isType = node.type.startsWith('TS');
    if (!isType && !place.inOnePiece) mutate(node, place.quiet);
    for (const [key, value] of Object.entries(node)) {
      if (isType ? key !== 'expression' : isName(node, key)) continue;
      for (const [index, child] of [value].flat().entries())
        if (isNode(child)) walk(child, placeIn(node, key, index, place));
    }
  }

  function add(at: Span, ...instead: string[]): void {
    for (const mutated of instead)
      found.push({ start: at.start, end: at.end, original: text(at), mutated });
  }

  function mutate(node: Node, quiet: boolean): void {
    switch (node.type) {
      case 'IfStatement':
      case 'ConditionalExpression':
        return add(node.test, 'true', 'false');
      case 'WhileStatement':
      case 'ForStatement':
        return node.test ? add(node.test, 'false') : undefined;
      case 'UnaryExpression':
        return /[!-]/.test(node.operator) ? add(node, text(node.argument)) : undefined;
      case 'BinaryExpression':
      case 'LogicalExpression':
      case 'AssignmentExpression':
        return swapOperator(node);
      case 'UpdateExpression':
        return add(node, text(node).replace(/\+\+|--/, (sign) => (sign === '++' ? '--' : '++')));
      case 'Literal':
        return add(node, ...otherLiterals(node.value, text(node), quiet));
      case 'TemplateLiteral':
        return quiet ? undefined : add(node, '``');
      case 'ArrayExpression':
        return node.elements.length > 0 && !quiet ? add(node, '[]') : undefined;
      case 'ObjectExpression':
        return node.properties.length > 0 && !quiet ? add(node, '({})') : undefined;
      case 'ReturnStatement':
        return isWorthEmptying(node.argument) ? add(node.argument, 'undefined') : undefined;
      case 'ArrowFunctionExpression':
        return isWorthEmptying(node.body) ? add(node.body, 'undefined') : undefined;
      case 'ExpressionStatement':
        return isRemovable(node.expression) ? add(node.expression, 'undefined') : undefined;
      case 'BlockStatement':
        return isMoreThanOneStep(node.body)
          ? add({ start: node.start + 1, end: node.end - 1 }, '')
          : undefined;
      case 'ChainExpression':
        return dropQuestion(node.expression, node);
      case 'CallExpression':
        return changeMethod(node);
      default:
    }
  }

  function swapOperator(node: Operation): void {
    const { left, right, operator } = node;
    if (operator === '+' && /['"`]/.test(text(node))) return;
    const target = node.type === 'AssignmentExpression' ? text(left) : `(${text(left)})`;
    for (const other of OPERATORS[operator] ?? []) add(node, `${target} ${other} (${text(right)})`);
  }

  /** Without one `?` of `a?.b?.c` after the other. */
  function dropQuestion(link: Node, whole: Span): void {
    const inner = 'object' in link ? link.object : 'callee' in link ? link.callee : undefined;
    if (!inner || !isNode(inner)) return;
    if ('optional' in link && link.optional) {
      const rest = code.slice(inner.end, whole.end).replace(/^\?\.(?=[[(])|^\?(?=\.)/, '');
      add(whole, code.slice(whole.start, inner.end) + rest);
    }
    dropQuestion(inner, whole);
  }

  function changeMethod(node: ESTree.CallExpression): void {
    const { callee } = node;
    if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
    const { name, ...at } = callee.property;
    if (LINKS.test(name)) add(node, text(callee.object));
    const other = METHODS.get(name);
    if (other) add(node, code.slice(node.start, at.start) + other + code.slice(at.end, node.end));
  }
}

type Operation = ESTree.BinaryExpression | ESTree.LogicalExpression | ESTree.AssignmentExpression;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** Whether a part of the node is a name in the code, and no value. */
function isName(node: Node, key: string): boolean {
  if (key === 'source') return true;
  return (key === 'key' || key === 'property') && !('computed' in node && node.computed);
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
    const isLarge = value >= LARGE;
    if (isLarge) return [`${raw} * 2`, `${raw} / 2`];
    return value === 0 ? ['1'] : [`${value + 1}`, `${value - 1}`];
  }
  if (typeof value === 'string') {
    const others = SQL.get(value) ?? (quiet ? [] : [value ? '' : 'mutant']);
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
  return node !== null && !/^(Literal|Block|Template|Array|Object|Parenthesized|Conditional|Binary|Logical)/.test(node.type) && !(node.type === 'Identifier' && node.name === 'undefined');
}

function isRemovable({ type }: Node): boolean {
  return /^(Call|Await|Assignment)Expression$/.test(type);
}

/** One statement that returns, or that is removed by itself, needs no second mutant. */
function isMoreThanOneStep(body: readonly Node[]): boolean {
  const [first] = body;
  if (body.length > 1 || !first) return body.length > 1;
  return !/^(Return|If)/.test(first.type) && !(first.type === 'ExpressionStatement' && isRemovable(first.expression));
}

/** The module with a switch at each mutant: `__mutant(id)` says whether it is on. Ids count from `first`. */
export function weave(code: string, mutants: readonly Mutant[], first: number): string {
  const places = new Map<string, { at: Mutant; ids: number[] }>();
  mutants.forEach((mutant, index) => {
    const place = `${mutant.start} ${mutant.end}`;
    const known = places.get(place) ?? { at: mutant, ids: [] };
    known.ids.push(index);
    places.set(place, known);
  });
  const ordered = [...places.values()].sort((a, b) => a.at.start - b.at.start || b.at.end - a.at.end);
  let next = 0;
  return write(0, code.length);

  function write(from: number, to: number): string {
    let out = '';
    let at = from;
    for (let place = ordered[next]; place && place.at.end <= to; place = ordered[next]) {
      next += 1;
      const { start, end } = place.at;
      out += code.slice(at, start);
      out += switched(place.ids, write(start, end));
      at = end;
    }
    return out + code.slice(at, to);
  }

  function switched(ids: readonly number[], original: string): string {
    const isOn = (id: number) => `globalThis.__mutant?.(${first + id})`;
    const [only = 0] = ids;
    if (mutants[only]?.mutated === '') return `if (!${isOn(only)}) {${original}}`;
    return `(${ids.map((id) => `${isOn(id)} ? (${mutants[id]?.mutated}) : `).join('')}${original})`;
  }
}
