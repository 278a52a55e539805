import * as z from 'zod/mini';

const line = () => z.string().check(z.minLength(1));

export const slide = z.strictObject({ image: line(), alt: line(), label: line() });

/** content/slides.json: the pictures of the hero carousel, in order. */
export const slidesSchema = z.array(slide).check(z.length(4));

export type Slide = z.output<typeof slide>;
