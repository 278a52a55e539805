import * as z from 'zod/mini';

/** content/slides.json: the pictures of the hero carousel, in order. */
export const slidesSchema = z
  .array(
    z.strictObject({
      image: z.string().check(z.minLength(1)),
      alt: z.string().check(z.minLength(1)),
      label: z.string().check(z.minLength(1)),
    }),
  )
  .check(z.length(4));

export type Slide = z.infer<typeof slidesSchema>[number];
