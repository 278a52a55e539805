/**
 * Shows a chosen theme before anything is painted, in every tab, and when a page comes back from the browser's memory.
 * The first paint waits for this script, so it is small and imports nothing. ui/theme-choice.tsx stores what is chosen
 * and sends the event; where storage is closed to the site, the choice is that page's alone.
 */
{
  const show = () => {
    const { dataset } = document.documentElement;
    let { theme = '' } = dataset;
    try {
      theme = localStorage.getItem('theme') ?? '';
    } catch {}
    dataset.theme = theme;
    // The browser's own bar has the colour of the system's theme unless one is chosen.
    const bars: NodeListOf<HTMLMetaElement> = document.querySelectorAll('[name=theme-color]');
    for (const bar of bars) {
      const { scheme } = bar.dataset;
      if (theme) bar.media = scheme === theme ? 'all' : 'not all';
      else bar.media = `(prefers-color-scheme:${scheme})`;
    }
  };
  show();
  addEventListener('storage', show);
  addEventListener('pageshow', show);
}
