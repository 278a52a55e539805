/** In place of the site's own: next/image makes its variants from the same original. */
import Image from 'next/image';
import { useSite } from '../platform/site.ts';

interface PictureProps {
  image: string;
  alt: string;
  sizes: string;
  className?: string;
  first?: boolean;
}

export function Picture({ image, first = false, ...rest }: PictureProps) {
  const { width = 1200, height = 800 } = useSite().pictures[image] ?? {};
  return <Image src={image} width={width} height={height} preload={first} {...rest} />;
}

export const pictureAddress = (image: string) => image;
