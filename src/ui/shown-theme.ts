/** For what draws by itself and must be told the colours of theme.css: a canvas, a provider's frame. */
import { useSyncExternalStore } from 'react';

/** Calls after theme.browser.ts, which listens to the same since before. */
export function onThemeChange(changed: () => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  for (const event of ['storage', 'pageshow']) addEventListener(event, changed, { signal });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed, { signal });
  return () => listening.abort();
}

/** Renders a component again when the theme changes; its value differs from theme to theme. */
export function useShownTheme(): string {
  return useSyncExternalStore(
    onThemeChange,
    () => themeColour('ink'),
    () => '',
  );
}

/** The colour of theme.css by its name, as it is now. */
export function themeColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--color-${name}`).trim();
}
