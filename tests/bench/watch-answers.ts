/** Watches in the page how long an answer is awaited. */
declare global {
  interface Window {
    /** `from`: the event at whose last time the wait begins. */
    expectAnswer(selector: string, from: string): void;
    /** In milliseconds. */
    answered: Promise<number>;
  }
}

/** Runs in each document. What is expected, and when it was asked for, stands in the tab's name, which outlives them. */
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
        // What is put away first is looked at from then on.
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
  /** Ahead of other tasks: the picture is there, whatever is still to be fetched and run. */
  function afterPaint(then: () => void) {
    scheduler.postTask(then, { priority: 'user-blocking' });
  }
}
