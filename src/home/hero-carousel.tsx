import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import type { ComponentProps } from 'react';
import { ScriptButton } from '../ui/button.tsx';
import { Picture } from '../ui/picture.tsx';
import type { Slide } from './home.ts';

export const SLIDE_SIZES = '(min-width: 80rem) 42rem, (min-width: 64rem) 54vw, 88vw';

/**
 * As operate-carousel.ts finds it. The pause button is the first tab stop; on a phone all are left
 * of the chat.
 */
export function HeroCarousel({ slides }: { slides: readonly Slide[] }) {
  return (
    <section
      data-carousel
      aria-roledescription="carousel"
      aria-label="Our work"
      // Space for the 3:2 picture, which is positioned above the buttons.
      className="relative pt-[calc(200%/3)]"
    >
      <div className="flex flex-wrap items-center gap-x-1 pt-3 sm:-mr-3 print:hidden">
        <RoundButton aria-label="Pause slideshow" className="group max-sm:-ml-4">
          <Pause className="size-3 fill-current text-edge group-data-still:hidden" />
          <Play className="hidden size-3 fill-current text-edge group-data-still:block" />
        </RoundButton>
        <p aria-hidden="true" className="order-first mr-auto text-sm text-ink max-sm:basis-full">
          {slides[0]?.label}
        </p>
        <div className="flex noscript:hidden">
          {slides.map(({ label }, index) => (
            <ScriptButton
              key={label}
              aria-label={`Slide ${label}`}
              aria-current={index === 0}
              className="group grid h-11 w-7 place-items-center rounded-control"
            >
              <span className="size-2 rounded-full bg-current text-edge transition-transform group-hover:scale-125 group-aria-[current=true]:scale-150 group-aria-[current=true]:text-primary" />
            </ScriptButton>
          ))}
        </div>
        <RoundButton aria-label="Previous slide">
          <ChevronLeft className="size-5" />
        </RoundButton>
        <RoundButton aria-label="Next slide">
          <ChevronRight className="size-5" />
        </RoundButton>
      </div>
      <div
        aria-live="off"
        className="absolute top-0 aspect-3/2 w-full overflow-hidden rounded-card bg-night shadow-raised print:relative"
      >
        {slides.map((slide, index) => (
          <figure
            key={slide.image}
            aria-roledescription="slide"
            aria-label={slide.label}
            aria-hidden={index !== 0}
            className="absolute inset-0 opacity-0 transition-opacity duration-[1200ms] aria-[hidden=false]:opacity-100 motion-reduce:transition-none"
          >
            <Picture
              image={slide.image}
              alt={slide.alt}
              first={index === 0}
              sizes={SLIDE_SIZES}
              // Browsers do not fetch a lazy picture that is display: none.
              className={`size-full object-cover ${index === 0 ? '' : 'hidden'}`}
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
