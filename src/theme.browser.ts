/**
 * Applies the chosen theme before the first paint, in every tab, and when a page returns from the back/forward cache.
 * The first paint waits for this script, so it is small and imports nothing. ui/theme-choice.tsx stores the choice and
 * fires the event; where storage is forbidden, the choice lasts for that page only. Being the first, it also notices when
 * the page's other script is blocked.
 */
{
  const show = () => {
    const { dataset } = document.documentElement;
    let { theme = '' } = dataset;
    try {
      theme = localStorage.getItem('theme') ?? '';
    } catch {}
    dataset.theme = theme;
    // The browser's address bar follows the system's theme unless one is chosen.
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
  const notice = ({ target }: Event) => {
    const isOwn = target instanceof HTMLScriptElement && target.src.startsWith(location.origin);
    if (isOwn) document.documentElement.dataset.failed = '';
  };
  // The error of an element does not bubble.
  addEventListener('error', notice, true);
}
