/** One program with all mutants of a module, each behind a switch: `__mutant(id)` says whether it is on. */
import type { Mutant } from './mutators.ts';

/** Ids count from `first`. */
export function weave(code: string, mutants: readonly Mutant[], first: number): string {
  const places = new Map<string, { at: Mutant; ids: number[] }>();
  mutants.forEach((mutant, index) => {
    const place = `${mutant.start} ${mutant.end}`;
    const known = places.get(place) ?? { at: mutant, ids: [] };
    known.ids.push(index);
    places.set(place, known);
  });
  const ordered = [...places.values()].sort(
    (a, b) => a.at.start - b.at.start || b.at.end - a.at.end,
  );
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
