/** Runs `act` at once, then at most once in so many milliseconds: calls share the next run. */
export function atMostEvery(ms: number, act: () => void): () => void {
  let pausing = false;
  let again = false;
  return function run() {
    again = pausing;
    if (pausing) return;
    act();
    pausing = true;
    setTimeout(() => {
      pausing = false;
      if (again) run();
    }, ms);
  };
}
