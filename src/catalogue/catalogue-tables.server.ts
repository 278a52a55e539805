/** What is sold, as the content files were last read. */
import type { Flag } from '../platform/database/tables.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    plans: PlanTable;
    services: ServiceTable;
    solutions: SolutionTable;
    testimonials: TestimonialTable;
  }
}

interface PlanTable {
  id: number;
  name: string;
  priceCents: number;
  description: string;
  popular: Flag;
  features: string;
  position: number;
}

interface ServiceTable {
  id: number;
  name: string;
  description: string;
  shortDescription: string;
  priceCents: number;
  priceType: string;
  image: string;
  features: string;
  position: number;
}

interface SolutionTable {
  id: number;
  name: string;
  description: string;
  industry: string;
  image: string;
  features: string;
  position: number;
}

interface TestimonialTable {
  id: number;
  name: string;
  company: string;
  comment: string;
  rating: number;
  image: string | null;
  position: number;
}
