/**
 * Applies the chosen theme before the first paint, which waits for this script: it is small and
 * imports nothing. It also notices when another script of the page is missing, keeps what is
 * pressed before that is there, takes a double press of a toggle or of a link for one, and lets the
 * visitor choose the theme.
 */
{
  const show = () => {
    const { dataset } = document.documentElement;
    let { theme = '' } = dataset;
    try {
      theme = localStorage.getItem('theme') ?? '';
    } catch {}
    dataset.theme = theme;
    const choices: NodeListOf<HTMLElement> = document.querySelectorAll('[data-choose]');
    for (const choice of choices) choice.ariaPressed = `${choice.dataset.choose === theme}`;
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
  addEventListener('DOMContentLoaded', show);
  /** Does what `ThemeChoice` offers. */
  const choose = ({ target }: MouseEvent) => {
    const choice = target instanceof Element && target.closest<HTMLElement>('[data-choose]');
    if (!choice) return;
    const { choose: theme = '' } = choice.dataset;
    try {
      if (theme) localStorage.setItem('theme', theme);
      else localStorage.removeItem('theme');
    } catch {
      // Storage is blocked: the choice lasts for this page.
      document.documentElement.dataset.theme = theme;
    }
    dispatchEvent(new Event('storage'));
  };
  addEventListener('click', choose);
  /** A cached page may name scripts that a deploy removed: it is reloaded once. */
  const notice = ({ target }: Event) => {
    // Named in the HTML. A part that is fetched later has its own notice and button.
    const named = 'script[src^="/assets/"], link[rel=modulepreload][fetchpriority]';
    if (!(target instanceof Element && target.matches(named))) return;
    removeEventListener('error', notice, true);
    const [visit] = performance.getEntriesByType('navigation');
    if (!(visit instanceof PerformanceNavigationTiming && visit.type === 'reload')) {
      location.reload();
    } else {
      document.documentElement.dataset.failed = '';
      report();
    }
  };
  /** Does what platform/failure-report.ts does; this file cannot import it. */
  const report = () => {
    const page = location.pathname.replace(/^\/quote\/.*/, '/quote');
    const failure = JSON.stringify({ kind: 'script', page, error: '', place: '' });
    const body = new Blob([failure], { type: 'application/json' });
    navigator.sendBeacon('/api/page-failures', body);
  };
  // The error of an element does not bubble.
  addEventListener('error', notice, true);
  /** doEarlyPress in ui/early-presses.ts does the last press. */
  const keep = (event: MouseEvent) => {
    const button = event.target instanceof Element && event.target.closest('[data-early]');
    if (!button) return;
    event.preventDefault();
    document.querySelector('[data-pressed]')?.removeAttribute('data-pressed');
    button.setAttribute('data-pressed', '');
  };
  addEventListener('click', keep, true);
  /**
   * The second half of a double press neither shuts what the first has opened, nor loads again, nor
   * operates what has come to its place.
   */
  const once = 'button[popovertarget], [aria-expanded], a, [data-once]';
  let lastOperated: Element | string | null = null;
  let last: PointerEvent | undefined;
  const skipSecond = (event: PointerEvent) => {
    const { target, timeStamp, clientX, clientY, detail, pointerType } = event;
    const control = target instanceof Element ? target.closest(once) : null;
    const operated = control?.getAttribute('popovertarget') ?? control;
    const isNear = last && Math.hypot(clientX - last.clientX, clientY - last.clientY) < 24;
    // Of a mouse, the browser counts the clicks at one place; keys have none.
    const isSecond =
      detail > 1 ||
      (pointerType !== 'mouse' && (operated === lastOperated || (pointerType && isNear)));
    if (lastOperated && last && isSecond && timeStamp - last.timeStamp < 300) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else lastOperated = operated;
    last = event;
  };
  addEventListener('click', skipSecond, true);
  /** Nor does that of a press of a link operate what the page it led to has at that place. */
  if (document.referrer.startsWith(location.origin)) {
    const { style } = document.documentElement;
    style.pointerEvents = 'none';
    setTimeout(() => style.removeProperty('pointer-events'), 300 - performance.now());
  }
}
