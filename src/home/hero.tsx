import type { ReactNode } from 'react';
import { Container } from '../ui/container.tsx';

/** The first screen: what is offered, the pictures beside it, and three facts below. */
export function Hero(props: { words: ReactNode; pictures: ReactNode; facts: ReactNode }) {
  return (
    <section aria-labelledby="hero-heading" className="bg-paper pt-navbar">
      <Container className="grid items-center gap-x-8 gap-y-7 py-6 sm:gap-y-10 sm:pt-10 lg:grid-cols-12 lg:pb-8">
        <div className="min-w-0 lg:col-span-5">{props.words}</div>
        <div className="min-w-0 lg:col-span-7">{props.pictures}</div>
      </Container>
      <Container>{props.facts}</Container>
    </section>
  );
}
