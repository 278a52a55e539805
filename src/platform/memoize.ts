/** In characters, with what an entry takes besides its text: a stranger's texts shall not fill the memory. */
const MOST_REMEMBERED = 1_000_000;
const ENTRY = 100;
const LONGEST_REMEMBERED = 2048;

/** A function of a text that remembers its latest answers: for texts that repeat and cost more than a look-up. */
export function memoize<Answer>(compute: (text: string) => Answer): (text: string) => Answer {
  const known = new Map<string, Answer>();
  let size = 0;
  return (text) => {
    if (text.length > LONGEST_REMEMBERED) return compute(text);
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    const answer = compute(text);
    size += text.length + ENTRY;
    if (size > MOST_REMEMBERED) {
      known.clear();
      size = text.length + ENTRY;
    }
    known.set(text, answer);
    return answer;
  };
}
