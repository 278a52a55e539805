import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import {
  type ComponentProps,
  startTransition,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { ScriptButton } from '../ui/button.tsx';
import { Picture } from '../ui/picture.tsx';
import { usePause } from '../ui/use-pause.ts';
import type { Slide } from './home.ts';

export const SLIDE_SIZES = '(min-width: 80rem) 42rem, (min-width: 64rem) 54vw, 88vw';
const SLIDE_MS = 8000;
/** The next picture is fetched so long before its turn: most visitors have scrolled on. */
const FETCH_AHEAD_MS = 4000;

/** First in the document, so that the pause button is the first tab stop; left, beside the chat. */
export function HeroCarousel({ slides }: { slides: readonly Slide[] }) {
  const rotation = useRotation(slides.length);
  const current = slides[rotation.index];
  return (
    <section
      aria-roledescription="carousel"
      aria-label="Our work"
      onMouseEnter={rotation.fetchAll}
      onFocusCapture={rotation.fetchAll}
      {...rotation.pauseProps}
      // Space for the 3:2 picture, which is positioned above the buttons.
      className="relative pt-[calc(200%/3)]"
    >
      <div className="flex flex-wrap items-center gap-x-1 pt-3 print:hidden">
        <RoundButton
          onClick={rotation.toggle}
          aria-label={rotation.playing ? 'Pause slideshow' : 'Play slideshow'}
          className="-ml-2"
        >
          {rotation.playing ? (
            <Pause className="size-4.5 fill-current" />
          ) : (
            <Play className="size-4.5 fill-current" />
          )}
        </RoundButton>
        <p
          aria-hidden="true"
          className="text-sm text-ink max-sm:order-first max-sm:basis-full sm:order-last sm:ml-4"
        >
          {current?.label}
        </p>
        <div className="flex noscript:hidden">
          {slides.map(({ label }, index) => (
            <ScriptButton
              key={label}
              aria-label={`Slide ${label}`}
              aria-current={index === rotation.index ? 'true' : undefined}
              onClick={() => rotation.goTo(index)}
              className="group grid h-11 w-7 place-items-center rounded-control"
            >
              <span className="size-2 rounded-full bg-current text-edge transition-transform group-hover:scale-125 group-aria-[current]:scale-150 group-aria-[current]:text-primary" />
            </ScriptButton>
          ))}
        </div>
        <RoundButton onClick={() => rotation.goBy(-1)} aria-label="Previous slide">
          <ChevronLeft className="size-5" />
        </RoundButton>
        <RoundButton onClick={() => rotation.goBy(1)} aria-label="Next slide">
          <ChevronRight className="size-5" />
        </RoundButton>
      </div>
      <div
        aria-live={rotation.rotating ? 'off' : 'polite'}
        className="absolute top-0 aspect-3/2 w-full overflow-hidden rounded-card bg-night shadow-raised print:relative"
      >
        {slides.map((slide, index) => (
          <figure
            key={slide.image}
            aria-roledescription="slide"
            aria-label={slide.label}
            aria-hidden={index !== rotation.index}
            className="absolute inset-0 opacity-0 transition-opacity duration-[1200ms] aria-[hidden=false]:opacity-100 motion-reduce:transition-none"
          >
            <Picture
              image={slide.image}
              alt={slide.alt}
              first={index === 0}
              sizes={SLIDE_SIZES}
              // Browsers do not fetch a lazy picture that is display: none.
              className={`size-full object-cover ${rotation.isDue(index) ? '' : 'hidden'}`}
            />
          </figure>
        ))}
      </div>
    </section>
  );
}

function RoundButton({ className = '', ...rest }: ComponentProps<'button'>) {
  return (
    <ScriptButton
      data-tooltip
      className={`grid size-11 shrink-0 place-items-center rounded-full text-ink enabled:hover:bg-paper-deep disabled:opacity-55 noscript:hidden ${className}`}
      {...rest}
    />
  );
}

/** Turns every 8 s unless paused, held by hover or focus, or with reduced motion. */
function useRotation(count: number) {
  const { paused, pauseProps } = usePause();
  const still = useSyncExternalStore(
    onReducedMotion,
    () => reducedMotion().matches,
    () => false,
  );
  const [choice, setChoice] = useState<'play' | 'pause'>();
  const [current, setCurrent] = useState({ index: 0 });
  /** The index up to which pictures are fetched. */
  const [lastDue, setDue] = useState(0);

  const playing = choice ? choice === 'play' : !still;
  const rotating = playing && !paused;

  // `current` is an object, so that choosing the current slide again also restarts the 8 s.
  useEffect(() => {
    if (!rotating) return;
    const next = (current.index + 1) % count;
    const fetchTimer = setTimeout(() => setDue(atLeast(next)), SLIDE_MS - FETCH_AHEAD_MS);
    const slideTimer = setTimeout(() => setCurrent({ index: next }), SLIDE_MS);
    return () => {
      clearTimeout(fetchTimer);
      clearTimeout(slideTimer);
    };
  }, [rotating, current, count]);

  function goTo(index: number) {
    setDue(atLeast(index));
    setCurrent({ index });
  }

  return {
    index: current.index,
    playing,
    rotating,
    isDue: (index: number) => index <= lastDue,
    /** Any picture may be next now. In a transition, so that the click is handled first. */
    fetchAll: () => startTransition(() => setDue(count)),
    goTo,
    goBy: (step: number) => goTo((current.index + step + count) % count),
    toggle: () => setChoice(playing ? 'pause' : 'play'),
    pauseProps,
  };
}

function atLeast(index: number) {
  return (lastDue: number) => Math.max(lastDue, index);
}

const reducedMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)');

function onReducedMotion(listener: () => void) {
  reducedMotion().addEventListener('change', listener);
  return () => reducedMotion().removeEventListener('change', listener);
}
