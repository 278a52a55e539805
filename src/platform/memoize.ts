const MOST_REMEMBERED = 1000;
/** A stranger's texts may be long, and shall not fill the memory. */
const LONGEST_REMEMBERED = 2048;

/** A function of a text that remembers its latest answers: for texts that repeat and cost more than a look-up. */
export function memoize<Answer>(
  compute: (text: string) => Answer,
  mostRemembered = MOST_REMEMBERED,
): (text: string) => Answer {
  const known = new Map<string, Answer>();
  return (text) => {
    if (text.length > LONGEST_REMEMBERED) return compute(text);
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    const answer = compute(text);
    if (known.size >= mostRemembered) known.clear();
    known.set(text, answer);
    return answer;
  };
}
