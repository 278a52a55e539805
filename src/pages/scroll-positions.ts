/** How far each entry of the history was scrolled, kept in the tab so that a reload knows it too. */
const STORED = 'scroll-positions';

/** The mark of the current history entry; one that is new gets it now. */
export function entryKey(): string {
  const state = typeof history.state === 'object' ? history.state : null;
  if (state?.entry) return String(state.entry);
  const entry = String(performance.timeOrigin + performance.now());
  // Past wouter's patch: nothing moves here.
  History.prototype.replaceState.call(history, { ...state, entry }, '');
  return entry;
}

export function readPositions(): Map<string, number> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(STORED) ?? '[]'));
  } catch {
    return new Map();
  }
}

export function storePositions(positions: ReadonlyMap<string, number>): void {
  try {
    sessionStorage.setItem(STORED, JSON.stringify([...positions]));
  } catch {
    // A browser that stores nothing begins each document at its top.
  }
}
