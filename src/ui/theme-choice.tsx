import { useSyncExternalStore } from 'react';

const THEMES = [
  ['', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** Chooses the theme, at the foot of every page. theme.browser.ts does it, and marks the choice. */
export function ThemeChoice() {
  return (
    <fieldset ref={mark} aria-label="Theme" className="flex gap-x-4 noscript:hidden">
      {THEMES.map(([theme, label]) => (
        <button
          key={theme}
          type="button"
          data-choose={theme}
          aria-pressed={theme === ''}
          className="min-h-8 underline-offset-4 hover:underline aria-pressed:underline"
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}

/** Where the browser renders it. */
function mark(): void {
  dispatchEvent(new Event('storage'));
}

/** Called after theme.browser.ts, which listens to the same events and was first. */
function onThemeChange(listener: () => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  for (const event of ['storage', 'pageshow']) addEventListener(event, listener, { signal });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', listener, { signal });
  return () => controller.abort();
}

/** Re-renders the component when the theme changes. Its value differs from theme to theme. */
export function useShownTheme(): string {
  return useSyncExternalStore(
    onThemeChange,
    () => themeColor('ink'),
    () => '',
  );
}

export function themeColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--color-${name}`).trim();
}
