/** Measures in the page how long a touch waits for its answer. */
declare global {
  interface Window {
    /** Starts to measure from the last event of type `from` until the element changes. */
    expectAnswer(selector: string, from: string): void;
    /** In milliseconds. */
    answered: Promise<number>;
  }
}

/** Runs in each document. Its state is in `window.name`, which survives navigation. */
export function watchAnswers(): void {
  const now = () => performance.timeOrigin + performance.now();
  for (const type of ['pointerdown', 'pointerup', 'keydown'])
    addEventListener(
      type,
      ({ timeStamp }) => {
        const { selector, from } = JSON.parse(window.name || '{}');
        if (type !== from) return;
        const touchedAt = performance.timeOrigin + timeStamp;
        window.name = JSON.stringify({ selector, from, touchedAt });
      },
      { capture: true },
    );
  const look = (selector: string) => {
    const found = [...document.querySelectorAll(selector)].find(
      (each) => each.getClientRects().length > 0,
    );
    return found?.outerHTML ?? '';
  };
  const watch = () => {
    const began = now();
    let before = '';
    window.answered = new Promise((resolve, reject) => {
      const ask = () => {
        const { selector, touchedAt } = JSON.parse(window.name);
        const seen = look(selector);
        // An element that disappears first is watched from then on.
        if (!touchedAt || seen === '') before = seen;
        else if (seen !== before) return afterPaint(() => resolve(now() - touchedAt));
        if (now() > began + 30_000) reject(new Error(`nothing came at ${selector}`));
        else requestAnimationFrame(ask);
      };
      requestAnimationFrame(ask);
    });
  };
  window.expectAnswer = (selector, from) => {
    window.name = JSON.stringify({ selector, from });
    watch();
  };
  if (window.name) watch();
  /** Runs ahead of other tasks, so that nothing that follows the paint is measured. */
  function afterPaint(then: () => void) {
    scheduler.postTask(then, { priority: 'user-blocking' });
  }
}
