import { useSyncExternalStore } from 'react';
import { useHydrated } from './use-hydrated.ts';

const THEMES = [
  ['', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** Which theme is shown, chosen at the foot of every screen. theme.browser.ts shows it. */
export function ThemeChoice() {
  const chosen = useSyncExternalStore(onThemeChange, shown, () => '');
  const disabled = !useHydrated();
  return (
    <fieldset aria-label="Theme" className="flex gap-x-4 noscript:hidden">
      {THEMES.map(([theme, label]) => (
        <button
          key={theme}
          type="button"
          disabled={disabled}
          aria-pressed={chosen === theme}
          onClick={() => choose(theme)}
          className="min-h-8 underline-offset-4 enabled:hover:underline disabled:opacity-55 aria-pressed:underline"
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}

function shown(): string {
  return document.documentElement.dataset.theme ?? '';
}

function choose(theme: string): void {
  try {
    if (theme) localStorage.setItem('theme', theme);
    else localStorage.removeItem('theme');
  } catch {
    // Storage is closed to this site: the choice is this page's.
    document.documentElement.dataset.theme = theme;
  }
  dispatchEvent(new Event('storage'));
}

/** Calls back after theme.browser.ts, which has listened to the same events for longer. */
function onThemeChange(changed: () => void): () => void {
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
