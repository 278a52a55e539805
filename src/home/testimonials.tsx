import type { Testimonial } from '../catalogue/catalogue.ts';
import { Card } from '../ui/layout.tsx';
import { Picture } from '../ui/picture.tsx';

export function Testimonials({ testimonials }: { testimonials: readonly Testimonial[] }) {
  return (
    <ul className="mt-10 grid gap-6 md:grid-cols-2">
      {testimonials.map(({ id, name, company, comment, rating, image }) => (
        <li key={id}>
          <Card className="h-full">
            <figure>
              <p className="text-amber">
                <span className="sr-only">{rating} of 5 stars</span>
                <span aria-hidden="true">{'★'.repeat(rating)}</span>
              </p>
              <blockquote className="mt-3">{comment}</blockquote>
              <figcaption className="mt-5 flex items-center gap-3 text-sm">
                {image && (
                  <Picture image={image} alt="" sizes="3rem" className="size-12 rounded-full" />
                )}
                <span>
                  <span className="block font-medium text-ink">{name}</span>
                  {company}
                </span>
              </figcaption>
            </figure>
          </Card>
        </li>
      ))}
    </ul>
  );
}
