/** In front of the path, in place of its second slash, and behind it. */
const STARTS = `// /// /./ /%2e/ /%2E/ /../ /%2e%2e/ /.%2e/ /x/../ /x//../ /\\ /%5c /%2f /x/..%2f /x/..\\ /;/ /x;y/../ /%zz/`;
const MIDDLES = '// /./ /x/../ /%2e/ %2f %2F \\ %5C ;x/ /;x/ %20/';
const ENDS = '// /. /./ /%2e /x/.. ; ;x=y %3b %2f %00 %0a %7f \\ # #x %';

/** Other spellings of a path, each of which some server reads as the path itself. */
export function otherSpellings(path: string): string[] {
  const [, first = '', rest = ''] = /^\/([^/]*)(.*)$/.exec(path) ?? [];
  const code = (text: string) => `%${text.charCodeAt(0).toString(16)}${text.slice(1)}`;
  return [
    `/${code(first)}${rest}`,
    `/${code(code(first))}${rest}`,
    `/${first}${rest.replace(/\w+$/, code)}`,
    ...STARTS.split(' ').map((start) => start + first + rest),
    ...MIDDLES.split(' ').map((middle) => `/${first}${rest.replace('/', middle)}`),
    ...ENDS.split(' ').map((end) => path + end),
  ].filter((spelling) => spelling !== path);
}
