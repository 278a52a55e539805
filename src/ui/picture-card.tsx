import type { ReactNode } from 'react';
import { Picture } from './picture.tsx';

/** On a phone the picture is small and stands beside the text, from there on above it. */
const FRAME =
  'grid h-full grid-cols-[5.5rem_1fr] content-start gap-x-4 max-[18rem]:grid-cols-1 max-[18rem]:gap-y-4 sm:flex sm:flex-col';
const PICTURE =
  'aspect-square w-full max-[18rem]:w-22 rounded-control sm:aspect-3/2 sm:rounded-card';
const TEXT = 'flex flex-1 flex-col sm:mt-5';

interface PictureCardProps {
  image?: string;
  /** How wide the picture is from 64 rem on; below, the card itself knows. */
  wideSizes: string;
  children: ReactNode;
}

/** One of many in a grid: an unboxed picture with text. */
export function PictureCard({ image, wideSizes, children }: PictureCardProps) {
  return (
    <article className={FRAME}>
      {image && (
        <Picture
          image={image}
          alt=""
          sizes={`${wideSizes}, (min-width: 40rem) 45vw, 5.5rem`}
          className={`${PICTURE} bg-paper-deep object-cover`}
        />
      )}
      <div className={TEXT}>{children}</div>
    </article>
  );
}
