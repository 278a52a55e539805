/** What a tool can see without running the code; `npm run check` and `npm test` run all of them. */
export const CHECKS: readonly { name: string; command: readonly string[] }[] = [
  { name: 'types', command: ['tsc', '--noEmit'] },
  { name: 'format and lint', command: ['biome', 'check', '--error-on-warnings', '.'] },
  {
    name: 'import directions',
    command: ['depcruise', '--output-type', 'err', 'src', 'scripts', 'tests'],
  },
  { name: 'unused code', command: ['knip', '--no-progress'] },
];
