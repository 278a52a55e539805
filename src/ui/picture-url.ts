import type { Site } from '../platform/site.ts';
import { pictureAddress } from './picture.tsx';

/** The full address of a picture, for those who see it outside of the site. */
export function pictureUrl(image: string, { pictures, publicUrl }: Site): string {
  return new URL(pictureAddress(image, pictures[image]), publicUrl).href;
}
