import type { ReactNode } from 'react';
import { Container } from '../ui/container.tsx';

/** The first screen: what is offered, the pictures beside it, and three facts below. */
export function Hero(props: { words: ReactNode; pictures: ReactNode; facts: ReactNode }) {
  return (
    <section aria-labelledby="hero-heading" className="bg-paper pt-navbar">
      <Container className="grid items-center gap-x-8 gap-y-12 pt-10 pb-16 lg:grid-cols-12 lg:pt-16 lg:pb-20">
        <div className="min-w-0 lg:col-span-5">{props.words}</div>
        <div className="min-w-0 lg:col-span-7">{props.pictures}</div>
      </Container>
      <Container>{props.facts}</Container>
    </section>
  );
}
