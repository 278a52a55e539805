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

interface ListedTable {
  id: number;
  name: string;
  position: number;
}

interface SoldTable extends ListedTable {
  description: string;
  features: string;
}

interface PlanTable extends SoldTable {
  priceCents: number;
  popular: Flag;
}

interface ServiceTable extends SoldTable {
  shortDescription: string;
  priceCents: number;
  priceType: string;
  image: string;
}

interface SolutionTable extends SoldTable {
  industry: string;
  image: string;
}

interface TestimonialTable extends ListedTable {
  company: string;
  comment: string;
  rating: number;
  image: string | null;
}
