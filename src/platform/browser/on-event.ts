/** For `useSyncExternalStore`: listens to an event of the window, or one that reaches it. */
export function onEvent(type: string) {
  return (listener: () => void): (() => void) => {
    addEventListener(type, listener, { passive: true });
    return () => removeEventListener(type, listener);
  };
}
