const SLIDE_MS = 8000;

/** Turns every 8 s unless paused, held by hover or focus, hidden, or with reduced motion. */
export function operateCarousel(): void {
  const [carousel] = document.querySelectorAll('[data-carousel]');
  const [live] = document.querySelectorAll('[data-carousel] > [aria-live]');
  const [label] = document.querySelectorAll('[data-carousel] p');
  // A dot for each slide, then back and forth.
  const [toggle, ...choices] = document.querySelectorAll('[data-carousel] button');
  if (!carousel || !live || !label || !toggle) return;
  const slides = [...live.children];
  const { length } = slides;
  const still = window.matchMedia('(prefers-reduced-motion: reduce)');
  let index = 0;
  let choice: boolean | undefined;
  let isHovered = false;
  let timers: ReturnType<typeof setTimeout>[] = [];

  const isPlaying = () => choice ?? !still.matches;
  const fetchUntil = (last: number) => {
    for (const slide of slides.slice(0, last + 1))
      slide.querySelector('img')?.classList.remove('hidden');
  };
  const follow = () => {
    const isHeld = isHovered || document.hidden || carousel.querySelector(':focus-visible');
    const turns = isPlaying() && !isHeld;
    toggle.ariaLabel = isPlaying() ? 'Pause slideshow' : 'Play slideshow';
    toggle.toggleAttribute('data-still', !isPlaying());
    live.ariaLive = turns ? 'off' : 'polite';
    timers.forEach(clearTimeout);
    const next = (index + 1) % length;
    // The next picture is fetched late: most visitors have scrolled on by then.
    timers = turns
      ? [setTimeout(fetchUntil, SLIDE_MS / 2, next), setTimeout(show, SLIDE_MS, next)]
      : [];
  };
  /** Choosing the current slide again also restarts the 8 s. */
  const show = (place: number) => {
    index = (place + length) % length;
    fetchUntil(index);
    for (const [at, slide] of slides.entries()) {
      slide.ariaHidden = `${at !== index}`;
      choices[at]?.setAttribute('aria-current', `${at === index}`);
    }
    label.textContent = slides[index]?.ariaLabel ?? '';
    follow();
  };

  toggle.addEventListener('click', () => {
    choice = !isPlaying();
    follow();
  });
  for (const [at, button] of choices.entries())
    button.addEventListener('click', () => show(at < length ? at : index + (at > length ? 1 : -1)));
  for (const type of ['pointerenter', 'pointerleave', 'focusin', 'focusout'])
    carousel.addEventListener(type, (event) => {
      if (event instanceof PointerEvent)
        isHovered = type === 'pointerenter' && event.pointerType !== 'touch';
      // Any picture may be next now.
      if (isHovered || type === 'focusin') fetchUntil(length);
      follow();
    });
  document.addEventListener('visibilitychange', follow);
  still.addEventListener('change', follow);
  follow();
}
