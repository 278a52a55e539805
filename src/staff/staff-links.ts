import { STAFF_PAGES } from '../routes.ts';

export function staffTitle(path: string, company: { name: string }): string {
  const page = Object.values(STAFF_PAGES).find((each) => each.path === path);
  return `${page?.title ?? 'Staff'} | ${company.name}`;
}

export function personPath(email: string): string {
  return `${STAFF_PAGES.people.path}?find=${encodeURIComponent(email)}`;
}
