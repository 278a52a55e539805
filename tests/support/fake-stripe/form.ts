export type ParamValue = string | ParamTree;
export interface ParamTree {
  [key: string]: ParamValue;
}

const emptyTree = (): ParamTree => Object.create(null) as ParamTree;

const segmentsOf = (name: string): string[] => {
  const bracket = name.indexOf('[');
  if (bracket < 0) return [name];
  const inner = name.slice(bracket).matchAll(/\[([^\]]*)\]/g);
  return [name.slice(0, bracket), ...Array.from(inner, (match) => match[1] ?? '')];
};

const place = (tree: ParamTree, segments: string[], value: string): void => {
  const [head = '', ...rest] = segments;
  const key = head === '' ? String(Object.keys(tree).length) : head;
  if (rest.length === 0) {
    tree[key] = value;
    return;
  }
  const existing = tree[key];
  const child = typeof existing === 'object' ? existing : emptyTree();
  tree[key] = child;
  place(child, rest, value);
};

/** Reads `items[0][price]=x&expand[]=y` into a tree; lists stay objects with index keys until a schema says so. */
export const parseForm = (text: string): ParamTree => {
  const tree = emptyTree();
  for (const [name, value] of new URLSearchParams(text)) {
    if (name !== '') place(tree, segmentsOf(name), value);
  }
  return tree;
};

const sorted = (value: ParamValue): unknown =>
  typeof value === 'string'
    ? value
    : Object.keys(value)
        .sort()
        .map((key) => [key, sorted(value[key] ?? '')]);

/** One text per meaning, whatever the order in which the parameters came. */
export const canonical = (tree: ParamTree): string => JSON.stringify(sorted(tree));
