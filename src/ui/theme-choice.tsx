import { useSyncExternalStore } from 'react';
import { ScriptButton } from './button.tsx';

const THEMES = [
  ['', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** Chooses the theme, at the foot of every page. theme.browser.ts applies it. */
export function ThemeChoice() {
  const chosen = useSyncExternalStore(onThemeChange, currentTheme, () => '');
  return (
    <fieldset aria-label="Theme" className="flex gap-x-4 noscript:hidden">
      {THEMES.map(([theme, label]) => (
        <ScriptButton
          key={theme}
          aria-pressed={chosen === theme}
          onClick={() => choose(theme)}
          className="min-h-8 underline-offset-4 enabled:hover:underline disabled:opacity-55 aria-pressed:underline"
        >
          {label}
        </ScriptButton>
      ))}
    </fieldset>
  );
}

function currentTheme(): string {
  return document.documentElement.dataset.theme ?? '';
}

function choose(theme: string): void {
  try {
    if (theme) localStorage.setItem('theme', theme);
    else localStorage.removeItem('theme');
  } catch {
    // Storage is blocked: the choice lasts for this page.
    document.documentElement.dataset.theme = theme;
  }
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
