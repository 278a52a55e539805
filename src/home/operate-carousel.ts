const SLIDE_MS = 8000;
/** The next picture is fetched so long before its turn: most visitors have scrolled on. */
const FETCH_AHEAD_MS = 4000;

/** Turns every 8 s unless paused, held by hover or focus, in a hidden tab, or with reduced motion. */
export function operateCarousel(): void {
  const [carousel] = document.querySelectorAll('[data-carousel]');
  const [live] = document.querySelectorAll('[data-carousel] > [aria-live]');
  const [label] = document.querySelectorAll('[data-carousel] p');
  const [toggle, ...others] = document.querySelectorAll('[data-carousel] button');
  if (!carousel || !live || !label || !toggle) return;
  const slides = [...live.children];
  const dots = others.slice(0, -2);
  const still = window.matchMedia('(prefers-reduced-motion: reduce)');
  let index = 0;
  let choice: boolean | undefined;
  let isHovered = false;
  let isFocused = false;
  let timers: ReturnType<typeof setTimeout>[] = [];

  const isPlaying = () => choice ?? !still.matches;
  const fetchUntil = (last: number) => {
    for (const slide of slides.slice(0, last + 1))
      slide.querySelector('img')?.classList.remove('hidden');
  };
  const fetchAll = () => fetchUntil(slides.length);
  const follow = () => {
    const turns = isPlaying() && !isHovered && !isFocused && !document.hidden;
    toggle.ariaLabel = isPlaying() ? 'Pause slideshow' : 'Play slideshow';
    toggle.toggleAttribute('data-still', !isPlaying());
    live.ariaLive = turns ? 'off' : 'polite';
    timers.forEach(clearTimeout);
    const next = (index + 1) % slides.length;
    timers = turns
      ? [setTimeout(fetchUntil, SLIDE_MS - FETCH_AHEAD_MS, next), setTimeout(show, SLIDE_MS, next)]
      : [];
  };
  /** Choosing the current slide again also restarts the 8 s. */
  const show = (place: number) => {
    index = (place + slides.length) % slides.length;
    fetchUntil(index);
    for (const [at, slide] of slides.entries()) {
      slide.ariaHidden = `${at !== index}`;
      dots[at]?.setAttribute('aria-current', `${at === index}`);
    }
    label.textContent = slides[index]?.ariaLabel ?? '';
    follow();
  };

  toggle.addEventListener('click', () => {
    choice = !isPlaying();
    follow();
  });
  for (const [at, dot] of dots.entries()) dot.addEventListener('click', () => show(at));
  for (const [at, step] of [-1, 1].entries())
    others.at(at - 2)?.addEventListener('click', () => show(index + step));
  // Any picture may be next now.
  carousel.addEventListener('mouseenter', fetchAll);
  carousel.addEventListener('focusin', fetchAll);
  const hold = (type: string, isHeld: (event: Event) => void) =>
    carousel.addEventListener(type, (event) => {
      isHeld(event);
      follow();
    });
  hold('pointerenter', (event) => {
    isHovered = event instanceof PointerEvent && event.pointerType !== 'touch';
  });
  hold('pointerleave', () => {
    isHovered = false;
  });
  hold('focusin', ({ target }) => {
    isFocused = target instanceof Element && target.matches(':focus-visible');
  });
  hold('focusout', () => {
    isFocused = false;
  });
  document.addEventListener('visibilitychange', follow);
  still.addEventListener('change', follow);
  follow();
}
