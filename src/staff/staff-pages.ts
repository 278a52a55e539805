/** The pages of the staff document; any other path below /admin is not found. */
export const STAFF_PAGES = {
  signIn: { path: '/admin-login', title: 'Staff sign-in' },
  inbox: { path: '/admin', title: 'Admin Dashboard' },
  orders: { path: '/admin/orders', title: 'Orders' },
  quotes: { path: '/admin/quotes', title: 'Quotes' },
  people: { path: '/admin/people', title: 'Personal Data' },
  logs: { path: '/admin/logs', title: 'Access Logs' },
  account: { path: '/admin/account', title: 'Sessions and Sign-ins' },
} as const;

export function staffTitle(path: string, company: { name: string }): string {
  const page = Object.values(STAFF_PAGES).find((each) => each.path === path);
  return `${page?.title ?? 'Staff'} | ${company.name}`;
}

export const STAFF_PATHS: readonly string[] = Object.values(STAFF_PAGES).map(({ path }) => path);

export const STAFF_NAVIGATION = [
  { ...STAFF_PAGES.inbox, label: 'Inbox' },
  { ...STAFF_PAGES.orders, label: 'Orders' },
  { ...STAFF_PAGES.quotes, label: 'Quotes' },
  { ...STAFF_PAGES.people, label: 'People' },
  { ...STAFF_PAGES.logs, label: 'Logs' },
  { ...STAFF_PAGES.account, label: 'Account' },
];

/** The page that shows everything stored under the email address. */
export function personPath(email: string): string {
  return `${STAFF_PAGES.people.path}?find=${encodeURIComponent(email)}`;
}
